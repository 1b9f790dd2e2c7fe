// English words that mean nearly the same; a bar or a line end stands between two groups. A question that uses one of them
// looks for the others too, at less weight. General knowledge, kept by hand; a word may stand in several groups.
export const wordGroups = `
buy purchase acquire order get shop|sell sale|big large huge enormous giant|small little tiny
happy glad joyful joy delighted pleased thrilled excited|sad unhappy upset depressed down heartbroken
angry mad furious annoyed irritated|frustrated frustrating annoyed disappointed
afraid scared fear frightened terrified phobia|worried anxious nervous stressed stress anxiety concern worry
tired exhausted weary fatigue|beautiful pretty gorgeous stunning lovely|funny hilarious amusing laugh
difficult hard tough challenging challenge struggle obstacle hardship hurdle setback|easy simple
start begin launch open found establish|finish end complete conclude|stop quit halt cease
help assist aid support|talk speak chat discuss conversation|tell inform mention share say
show display exhibit exhibition|like love enjoy adore fond favorite prefer favourite|hate dislike despise
want wish desire hope|plan intend intention aim goal|goal ambition aspiration dream target objective
need require requirement|try attempt|think believe opinion view thought|learn study
teach instruct coach train mentor|teacher instructor tutor professor
work job career occupation profession employment|employer company firm business workplace
business store company startup shop entrepreneur|boss manager supervisor|colleague coworker teammate
fire layoff dismiss|lose lost loss|hire employ recruit|earn income salary wage pay
money cash fund finance financial|fundraise fundraiser donate donation charity|volunteer voluntary charity
house home apartment flat place residence|live reside dwell|live lives|leave leaves|move relocate relocation
car vehicle auto automobile drive|trip travel journey vacation holiday visit tour getaway|travel visit go
walk stroll hike|run jog running marathon race|exercise workout gym fitness train|swim swimming pool
bike bicycle cycle biking cycling|paint painting painter canvas|draw drawing sketch|art artwork artistic artist
photo photograph photography picture image camera pic snapshot|music song musical musician|sing singer vocal
dance dancing dancer|concert gig show performance|perform performance play|movie film cinema
book novel story read|author writer write|journal diary notebook|write journal blog article poem|poem poetry
cook bake recipe|food meal dish cuisine|eat dine dinner lunch breakfast meal|drink beverage
restaurant cafe diner eatery|coffee cafe latte espresso|dessert cake pie cookie sweet pastry
child kid son daughter|boy son|girl daughter|baby infant newborn pregnant pregnancy|parent mother father
mother mom mum mommy mama|father dad daddy papa|grandmother grandma granny|grandfather grandpa granddad
sibling brother sister|spouse husband wife partner|partner boyfriend girlfriend|relative family
grandparent grandmother grandfather grandma grandpa|marry marriage married wedding wed
engage engagement fiance propose proposal|divorce separate breakup split|date dating romantic
relationship dating romantic|friend friendship buddy pal companion mate|meet encounter|pet dog cat animal
dog puppy pup|cat kitten|adopt adoption foster|rescue shelter|ill sick illness disease ailment
hurt injury injure wound injured accident|pain ache sore|doctor physician specialist appointment doc
hospital clinic emergency|medicine medication drug prescription pill
therapy therapist counselor counseling psychologist|surgery operation|healthy health wellbeing wellness
weight diet|die death pass away funeral|old aged age elderly|young youth teenager|birthday born birth
celebrate celebration party anniversary festivity|gift present give|event gathering occasion
class course lesson workshop|school college university education|degree diploma graduate graduation|exam test
research study investigate|skill ability talent|win victory award prize trophy winner champion
competition contest tournament championship|team squad club|member join|group organization association community
speech presentation talk lecture|politics political government policy election campaign
war military army soldier veteran|religion religious church faith spiritual god|nature outdoors wilderness
forest woods tree|mountain hill peak|sea ocean beach coast shore|lake river|flower garden plant gardening
weather rain snow storm|sunset sunrise|computer laptop pc|phone cellphone mobile smartphone
app application software program|programming coding developer code software|game gaming console
website internet online|message text email|call phone ring|problem issue trouble difficulty
solution solve fix repair|break broken damage|make create build craft|design style|change transform transition
improve better enhance progress|increase grow growth
reason cause because motivate motivation inspire inspiration|inspire motivate encourage
feel emotion feeling mood|calm relax peaceful peace serene soothe unwind relaxation
important significant meaningful special|memory remember memorable recall reminder
symbol symbolize represent meaning mean|proud pride|brave courage courageous|kind kindness generous
realize realise understand|decide decision choose choice select|agree consent
advice advise suggest suggestion recommend recommendation tip|receive get|own possess have|keep maintain
collect collection|borrow lend|clothes clothing outfit dress wear|shoe sneaker boot
necklace jewelry jewellery ring bracelet|color colour|hair haircut|name call named|city town
country nation abroad|state province|neighborhood area|store shop shopping market mall|price cost expensive fee
invoice bill receipt|appointment meeting booking reservation|book reserve booking reservation
cancel cancellation|refund reimburse return|subscription plan|schedule calendar agenda|deadline due
contract agreement deal|customer client|supplier vendor|sponsor sponsorship endorsement brand
interest hobby pastime|hobby activity|attend participate join partake involved|prepare ready
organize organise arrange host|watch see view|hear listen|discover find|recent lately recently
frequent often regularly|rarely seldom|yearly annual|sport athletic athlete|basketball hoop nba|football soccer
injury recovery recover heal rehab|passion passionate|lonely alone|confident confidence
grateful thankful appreciate gratitude|surprise surprised unexpected|accident crash collision
steal theft robbery thief|fire burn|achieve accomplish accomplishment achievement success succeed reach
success successful succeed achievement|overcome deal cope handle|face encounter deal|experience adventure
adventure trip explore|explore discover visit|equality rights justice|discrimination prejudice racism
protest march rally|vote election|law legal lawyer attorney|police cop officer|guest visitor
neighbor neighbour neighborhood|roommate flatmate|address street|residence address home
delivery deliver ship shipping|package parcel|repair maintenance service|tool equipment gear|clean tidy wash
furniture decor decorate decoration|renovate renovation remodel refurbish|rent lease landlord tenant
mortgage loan debt|save saving savings|invest investment stock|insurance insure policy|tax taxes
quit resign leave|promote promotion raise|retire retirement|interview application apply applicant|resume cv
project assignment task|goal milestone|habit routine|sleep nap bed insomnia|dream nightmare sleep
breathe meditation meditate mindfulness yoga|vegetarian vegan veggie|allergy allergic intolerance
healthy nutritious|hungry starving|thirsty drink|delicious yummy tasty|spicy hot|favorite favourite best
hero idol|famous celebrity star|fan admirer|audience crowd|stage theater theatre|actor actress
band group musician|instrument play|album record|show series program episode|channel station|news article
magazine journal publication publish|story tale fiction|character protagonist|genre type|language speak fluent
translate translation interpreter|hope optimistic positive|spirit soul|trust rely|honest truth true|lie false
secret private|safe safety secure security|danger dangerous risk|protect protection guard
environment environmental climate sustainability eco|recycle waste trash|energy power electricity
electronics device gadget phone computer|airport flight plane fly|hotel hostel accommodation stay resort
passport visa|beach sand ocean sea|boat ship sail cruise|camp camping tent campfire|picnic park outdoors
hike hiking trail trek|ski skiing snowboarding|climb climbing|fish fishing|surf surfing
museum gallery exhibit exhibition|tattoo ink|statue sculpture|craft handmade diy|sew knit crochet
pottery clay ceramic bowl|toy doll|stuffed plush teddy|purpose reason aim|effect impact influence result
influence inspire impact|reaction respond response react|attitude outlook perspective
personality character trait|strength strong|weak weakness
`
