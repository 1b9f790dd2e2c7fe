// What English words have to do with each other: general knowledge, kept by hand. Words are compared by their stems, so
// one form of each is enough.

/** Words that mean nearly the same, group by group: a question for one also looks for the others, at less weight. */
export const wordGroups = `
buy purchase acquire order get shop|sell sale|big large huge enormous giant|small little tiny|happy glad joyful joy
delighted pleased thrilled excited|sad unhappy upset depressed down heartbroken|angry mad furious annoyed irritated|
frustrated annoyed disappointed|afraid scared fear frightened terrified phobia|worried anxious nervous stressed anxiety
concern|tired exhausted weary fatigue|beautiful pretty gorgeous stunning lovely|funny hilarious amusing laugh|difficult
hard tough challenging struggle obstacle hardship hurdle setback|easy simple|start begin launch open found establish|
finish end complete conclude|stop quit halt cease|help assist aid support|talk speak chat discuss conversation|tell
inform mention share say|show display exhibit exhibition|like love enjoy adore fond favorite prefer|hate dislike
despise|want wish desire hope|plan intend intention aim goal|goal ambition aspiration dream target objective|need
require|try attempt|think believe opinion view|learn study|teach instruct coach train mentor|teacher instructor tutor
professor|work job career occupation profession employment|employer company firm business workplace|business store
company startup shop entrepreneur|boss manager supervisor|colleague coworker teammate|fire layoff dismiss|lose loss|hire
employ recruit|earn income salary wage pay|money cash fund finance financial|fundraise donate charity|volunteer
voluntary charity|house home apartment flat place residence|live reside dwell|live lives|leave leaves|move relocate|car
vehicle auto automobile drive|trip travel journey vacation holiday visit tour getaway|travel visit go|walk stroll hike|
run jog marathon race|exercise workout gym fitness train|swim pool|bike cycle biking|paint painter canvas|draw sketch|
art artwork artistic|photo photograph photography image camera snapshot|music song musician|sing singer vocal|dance
dancer|concert gig show performance|perform play|movie cinema|book novel story read|author writer write|journal diary
notebook|write journal blog article poem|poem poetry|cook bake recipe|food meal dish cuisine|eat dine dinner lunch
breakfast meal|drink beverage|restaurant cafe diner eatery|coffee cafe latte espresso|dessert cake pie cookie sweet
pastry|child son daughter|boy son|girl daughter|baby infant newborn pregnant pregnancy|parent mother father|mother mama|
father papa|grandfather granddad|sibling brother sister|spouse husband wife partner|partner boyfriend girlfriend|
relative family|grandparent grandmother grandfather|marry marriage wedding|engage fiance propose|divorce separate
breakup split|relationship dating romantic|friend friendship buddy pal companion mate|meet encounter|pet dog cat animal|
dog puppy|cat kitten|adopt adoption foster|rescue shelter|ill sick disease ailment|hurt injury injure wound accident|
pain ache sore|doctor physician specialist appointment doc|hospital clinic emergency|medicine medication drug
prescription pill|therapy therapist counselor counseling psychologist|surgery operation|healthy health wellbeing
wellness|weight diet|die death pass away funeral|old aged elderly|young youth teenager|birthday born birth|celebrate
party anniversary festivity|gift present give|event gathering occasion|class course lesson workshop|school college
university education|degree diploma graduate|exam test|research study investigate|skill ability talent|win victory award
prize trophy winner champion|competition contest tournament championship|team squad club|member join|group organization
association community|speech presentation talk lecture|politics government policy election campaign|war military army
soldier veteran|religion religious church faith spiritual god|nature outdoors wilderness|forest woods tree|mountain hill
peak|sea ocean beach coast shore|lake river|flower garden plant|weather rain snow storm|sunset sunrise|computer laptop
pc|phone cellphone mobile smartphone|app application software program|programming coding developer software|game
console|website internet online|message text email|call phone ring|problem issue trouble difficulty|solution solve fix
repair|break damage|make create build craft|design style|change transform transition|improve better enhance progress|
increase grow growth|reason cause because motivate inspire|inspire motivate encourage|feel emotion mood|calm relax
peaceful serene soothe unwind|important significant meaningful special|memory remember memorable recall reminder|symbol
represent meaning|proud pride|brave courage|kind generous|realize realise understand|decide decision choose choice
select|agree consent|advice advise suggest suggestion recommend tip|receive get|own possess have|keep maintain|collect
collection|borrow lend|clothes outfit dress wear|shoe sneaker boot|necklace jewelry ring bracelet|hair haircut|name
call|city town|country nation abroad|state province|neighborhood area|store shop market mall|price cost expensive fee|
invoice bill receipt|appointment meeting booking reservation|refund reimburse return|subscription plan|schedule calendar
agenda|deadline due|contract agreement deal|customer client|supplier vendor|sponsor sponsorship endorsement brand|
interest hobby pastime|hobby activity|attend participate join partake involved|prepare ready|organize organise arrange
host|watch see view|hear listen|discover find|recent lately|frequent often regularly|rarely seldom|yearly annual|sport
athletic|basketball hoop nba|football soccer|injury recovery recover heal rehab|lonely alone|grateful thankful
appreciate gratitude|surprise unexpected|accident crash collision|steal theft robbery thief|fire burn|achieve accomplish
success succeed reach|overcome deal cope handle|face encounter deal|experience adventure|adventure trip explore|explore
discover visit|equality rights justice|discrimination prejudice racism|protest march rally|vote election|law legal
lawyer attorney|police cop officer|guest visitor|neighbor neighborhood|roommate flatmate|address street|residence
address home|delivery deliver ship|package parcel|repair maintenance service|tool equipment gear|clean tidy wash|
furniture decor|renovate remodel refurbish|rent lease landlord tenant|mortgage loan debt|invest stock|insurance policy|
quit resign leave|promote promotion raise|interview application apply|resume cv|project assignment task|goal milestone|
habit routine|sleep nap bed insomnia|dream nightmare sleep|breathe meditation mindfulness yoga|vegetarian vegan veggie|
allergy allergic intolerance|healthy nutritious|hungry starving|thirsty drink|delicious yummy tasty|spicy hot|favorite
best|hero idol|famous celebrity star|fan admirer|audience crowd|stage theater|actor actress|band group musician|
instrument play|album record|show series program episode|channel station|news article|magazine journal publication
publish|story tale fiction|character protagonist|genre type|language speak fluent|translate interpreter|hope optimistic
positive|spirit soul|trust rely|honest truth true|lie false|secret private|safe safety secure|danger risk|protect
protection guard|environment environmental climate sustainability eco|recycle waste trash|energy power electricity|
electronics device gadget phone computer|airport flight plane fly|hotel hostel accommodation stay resort|passport visa|
beach sand ocean sea|boat ship sail cruise|camp tent campfire|picnic park outdoors|hike trail trek|ski snowboarding|
museum gallery exhibit exhibition|tattoo ink|statue sculpture|craft handmade diy|sew knit crochet|pottery clay ceramic
bowl|toy doll|stuffed plush teddy|purpose reason aim|effect impact influence result|influence inspire impact|reaction
respond response react|attitude outlook perspective|personality character trait|strength strong
`

/** What kinds of things words name: a question for a kind also looks for the things. `kind other-kind: things of both`. */
export const wordKinds = `
activity hobby: swim hike camp run jog bike paint draw read cook bake dance sing yoga garden fish kayak ski skate surf
climb knit sew craft pottery photography meditate travel game chess puzzle write golf tennis|activity: walk volunteer
music gym workout exercise museum picnic concert boat sail skateboard snowboard horseback bowl karaoke|hobby: guitar
piano violin collect sculpture birdwatching|sport: basketball football soccer baseball tennis volleyball hockey golf
swim run boxing cricket rugby ski snowboard surf climb gymnastics track skate martial karate wrestling cycling race|
exercise workout: run swim yoga pilates gym weight lift cardio aerobics boxing kickboxing spin crossfit strength|
exercise: jog hike bike walk stretch|workout: circuit|martial: karate judo taekwondo kickboxing boxing kungfu jiujitsu
aikido wrestling|instrument: guitar piano violin drum flute clarinet saxophone cello trumpet keyboard bass ukulele harp
harmonica|music: song band concert album singer rock pop jazz classical rap hiphop country guitar piano violin melody
tune playlist|genre: fantasy mystery thriller romance horror comedy drama fiction scifi action adventure biography
history documentary rock pop jazz classical country|dance: ballet salsa tango hiphop ballroom contemporary swing waltz|
animal pet: dog cat puppy kitten bird fish horse rabbit turtle snake lizard hamster guinea parrot|animal: pig cow goat
sheep chicken duck deer bear wolf fox lion tiger elephant whale dolphin frog owl butterfly|breed: labrador retriever
poodle shepherd bulldog beagle terrier husky collie spaniel siamese persian mix|bird: parrot eagle owl duck hawk robin
crow pigeon hummingbird|insect: bee butterfly ant spider mosquito|food dish: pizza pasta salad soup sandwich burger
chicken rice sushi taco curry noodle steak pancake salmon lasagna stew roast|food: beef fish bread cheese cake cookie
pie chocolate fruit vegetable egg shrimp dessert snack tofu meat|dish: casserole|recipe: pizza pasta salad soup chicken
cake cookie pie curry bread stew roast sauce|cuisine: italian chinese japanese mexican indian thai french greek korean
vietnamese|snack: chip cookie candy chocolate popcorn nut fruit soda cracker|dessert: cake cookie pie chocolate brownie
icecream pudding tart cupcake sundae mousse muffin pastry sorbet cheesecake|meal: breakfast lunch dinner supper brunch|
drink: coffee tea water juice soda beer wine smoothie milk cocktail latte|fruit: apple banana orange berry strawberry
grape mango peach pear cherry lemon|vegetable: carrot potato tomato broccoli spinach pepper onion lettuce|ingredient:
sugar flour butter egg milk cream salt oil garlic onion cheese|diet: vegan vegetarian keto gluten sugar calorie protein|
country european: england britain uk scotland ireland france germany spain italy portugal netherlands belgium
switzerland austria sweden norway denmark finland iceland poland greece|country asian: china japan korea india thailand
vietnam indonesia philippines singapore malaysia|country: america usa canada mexico turkey russia ukraine australia
zealand brazil argentina chile peru colombia egypt morocco kenya nigeria africa israel|continent: europe asia africa
america australia antarctica|city: london paris rome berlin madrid barcelona amsterdam tokyo york boston chicago seattle
angeles francisco miami toronto vancouver sydney dublin vegas orlando denver houston dallas austin portland
philadelphia|state: california texas florida york washington oregon colorado michigan minnesota wisconsin illinois ohio
georgia virginia carolina pennsylvania massachusetts connecticut maine vermont alaska hawaii nevada utah arizona montana
indiana tennessee|place location: city town park beach mountain museum restaurant cafe forest lake country island|place:
store shop gallery theater stadium river bar castle zoo|location: state street|venue: hall theater stadium park hotel
restaurant garden church beach barn|landmark: tower bridge castle cathedral monument statue museum temple palace|family
relative: mother father brother sister uncle aunt cousin grandmother grandfather nephew niece|family: son daughter
husband wife parent child|child: son daughter kid toddler baby boy girl|sibling: brother sister twin|pastry: cake cookie
croissant muffin tart pie|book: novel story author read series fiction fantasy biography library bookstore chapter|
movie: film cinema actor watch scene comedy thriller director trilogy series|game: chess video console playstation xbox
nintendo board card puzzle rpg strategy tournament poker monopoly|toy: doll puzzle lego teddy bear ball|event: party
concert festival parade wedding conference workshop fair fundraiser gala ceremony tournament race marathon exhibition
show meeting retreat reunion celebration competition|holiday: christmas thanksgiving halloween easter hanukkah newyear
valentine independence|job career profession: teacher doctor nurse engineer lawyer manager designer writer artist chef
programmer developer accountant scientist counselor therapist actor musician coach|job: waiter driver mechanic analyst
consultant assistant|profession: plumber dentist electrician|field: engineering medicine law education psychology
business marketing science counseling nursing art design technology|health: doctor hospital diet weight exercise sick
injury pain illness medicine surgery blood heart stress sleep|ailment: pain injury fever cold flu allergy headache
migraine asthma diabetes infection arthritis anxiety depression cancer|symptom: pain fever cough headache nausea dizzy
rash fatigue sore|injury: ankle knee sprain fracture broken wrist back shoulder leg arm|disease: cancer diabetes flu
infection asthma arthritis alzheimer|clothing: shirt dress jacket coat shoe hat jeans skirt sweater hoodie scarf boot
sock suit|accessory: hat scarf belt bag watch necklace ring bracelet earring glasses|jewelry: necklace ring bracelet
earring pendant|vehicle: car truck bike motorcycle van bus train boat plane suv scooter|car: ford toyota honda tesla bmw
audi mercedes jeep suv sedan truck|transport: car bus train plane bike boat taxi subway flight|art: paint draw sculpture
pottery photography sketch canvas watercolor mural ceramic|color: red blue green yellow purple orange pink black white
brown gold silver gray|weather: rain snow sun storm wind hot cold cloud hurricane flood|disaster: flood fire earthquake
hurricane tornado storm|emotion feel: happy sad angry afraid proud excited nervous anxious grateful lonely joy
frustrated disappointed overwhelmed|emotion: relief love|feel: scared thankful relieved amazing great awesome
incredible|reaction: happy sad angry shocked surprised excited thrilled scared amazed laughed cried|season: spring
summer autumn winter fall|school: class student teacher course exam degree university college homework|degree: bachelor
master phd engineering psychology business law medicine history science economics literature|course: class lesson
workshop training certificate|device: phone laptop tablet computer camera watch headphone speaker|electronics: phone
laptop tablet computer camera tv headphone speaker console|software: app website program database system platform|
language: english spanish french german italian portuguese chinese japanese korean russian arabic python java
javascript|subject: math science history english art music physics biology chemistry literature|money: pay salary budget
dollar price cost bank loan debt rent|expense: rent bill food insurance repair tax|payment: card cash invoice transfer
check paypal|nature: mountain forest lake beach sunset flower tree river ocean waterfall trail|landscape: mountain
forest lake beach sunset ocean river desert|plant: flower tree rose succulent cactus herb tulip lily sunflower orchid
seed|contact: phone email address number|company: inc ltd corp firm agency startup|organization: charity nonprofit club
church foundation agency association|member: mother father brother sister son daughter wife husband|relax: yoga
meditation bath walk read music massage sleep nature paint tea|religion: church god faith pray prayer bible mosque
temple|gift: book toy flower card watch jewelry bracelet perfume voucher|furniture: table chair sofa couch bed desk lamp
shelf|appliance: oven fridge dishwasher washer dryer microwave toaster|room: kitchen bedroom bathroom office garage
basement attic|building: house church school hospital tower castle barn library|award: prize trophy medal winner first|
show: series episode season watch netflix|band: concert album singer guitarist drummer rock|artist: singer band painter
musician album|author: book novel writer series|habit: smoke drink routine daily sleep exercise|challenge: difficult
tough injury problem stress obstacle struggle setback|plan: tomorrow next soon going upcoming|goal: want hope dream win
improve become|shape: circle square triangle heart star|material: wood metal glass clay stone leather cotton plastic|
body: head arm leg back knee ankle shoulder hand foot stomach heart|time: morning afternoon evening night noon midnight|
age: birthday old year turned
`
