// What kinds of things English words name: a question for a kind also looks for the things, at less weight.
// General knowledge, kept by hand: `kind: things of that kind`.
export const wordKinds = `
activity: swim hike camp run jog walk bike paint draw read cook bake dance sing yoga garden fish kayak ski skate surf climb volunteer knit sew craft pottery photography meditate travel music game chess puzzle write gym workout exercise museum picnic concert boat sail skateboard snowboard horseback golf tennis bowl karaoke
hobby: swim hike camp run jog bike paint draw read cook bake dance sing yoga garden fish kayak ski skate surf climb knit sew craft pottery photography meditate travel guitar piano violin game chess puzzle write collect sculpture birdwatching golf tennis
sport: basketball football soccer baseball tennis volleyball hockey golf swim run boxing cricket rugby ski snowboard surf climb gymnastics track skate martial karate wrestling cycling race
exercise: run jog swim yoga pilates gym weight lift hike bike walk stretch cardio aerobics boxing kickboxing spin crossfit strength
workout: run swim yoga pilates gym weight lift cardio aerobics boxing kickboxing spin crossfit strength circuit
martial: karate judo taekwondo kickboxing boxing kungfu jiujitsu aikido wrestling
instrument: guitar piano violin drum flute clarinet saxophone cello trumpet keyboard bass ukulele harp harmonica
music: song band concert album singer rock pop jazz classical rap hiphop country guitar piano violin melody tune playlist
genre: fantasy mystery thriller romance horror comedy drama fiction scifi action adventure biography history documentary rock pop jazz classical country
dance: ballet salsa tango hiphop ballroom contemporary swing waltz
animal: dog cat puppy kitten bird fish horse rabbit turtle snake lizard hamster guinea pig parrot cow goat sheep chicken duck deer bear wolf fox lion tiger elephant whale dolphin frog owl butterfly
pet: dog cat puppy kitten bird fish rabbit turtle snake hamster guinea parrot lizard horse
breed: labrador retriever poodle shepherd bulldog beagle terrier husky collie spaniel siamese persian mix
bird: parrot eagle owl duck hawk robin crow pigeon hummingbird
insect: bee butterfly ant spider mosquito
food: pizza pasta salad soup sandwich burger chicken beef fish rice bread cheese cake cookie pie chocolate fruit vegetable sushi taco curry noodle steak egg pancake salmon shrimp lasagna stew roast dessert snack tofu meat
dish: pizza pasta salad soup sandwich burger chicken rice sushi taco curry noodle steak pancake salmon lasagna stew roast casserole
recipe: pizza pasta salad soup chicken cake cookie pie curry bread stew roast sauce
cuisine: italian chinese japanese mexican indian thai french greek korean vietnamese
snack: chip cookie candy chocolate popcorn nut fruit soda cracker
dessert: cake cookie pie chocolate brownie icecream pudding tart cupcake sundae mousse muffin pastry sorbet cheesecake
meal: breakfast lunch dinner supper brunch
drink: coffee tea water juice soda beer wine smoothie milk cocktail latte
fruit: apple banana orange berry strawberry grape mango peach pear cherry lemon
vegetable: carrot potato tomato broccoli spinach pepper onion lettuce
ingredient: sugar flour butter egg milk cream salt oil garlic onion cheese
diet: vegan vegetarian keto gluten sugar calorie protein
country: america usa canada mexico england britain uk scotland ireland france germany spain italy portugal netherlands belgium switzerland austria sweden norway denmark finland iceland poland greece turkey russia ukraine china japan korea india thailand vietnam indonesia philippines singapore malaysia australia zealand brazil argentina chile peru colombia egypt morocco kenya nigeria africa israel
european: england britain uk scotland ireland france germany spain italy portugal netherlands belgium switzerland austria sweden norway denmark finland iceland poland greece
asian: china japan korea india thailand vietnam indonesia philippines singapore malaysia
continent: europe asia africa america australia antarctica
city: london paris rome berlin madrid barcelona amsterdam tokyo york boston chicago seattle angeles francisco miami toronto vancouver sydney dublin vegas orlando denver houston dallas austin portland philadelphia
state: california texas florida york washington oregon colorado michigan minnesota wisconsin illinois ohio georgia virginia carolina pennsylvania massachusetts connecticut maine vermont alaska hawaii nevada utah arizona montana indiana tennessee
place: city town park beach mountain museum restaurant cafe forest lake country store shop gallery theater stadium island river bar castle zoo
location: city town park beach mountain museum restaurant cafe forest lake country state street island
venue: hall theater stadium park hotel restaurant garden church beach barn
landmark: tower bridge castle cathedral monument statue museum temple palace
family: mother father brother sister son daughter husband wife uncle aunt cousin grandmother grandfather nephew niece parent child
relative: mother father brother sister uncle aunt cousin grandmother grandfather nephew niece
child: son daughter kid toddler baby boy girl
sibling: brother sister twin
pastry: cake cookie croissant muffin tart pie
book: novel story author read series fiction fantasy biography library bookstore chapter
movie: film cinema actor watch scene comedy thriller director trilogy series
game: chess video console playstation xbox nintendo board card puzzle rpg strategy tournament poker monopoly
toy: doll puzzle lego teddy bear ball
event: party concert festival parade wedding conference workshop fair fundraiser gala ceremony tournament race marathon exhibition show meeting retreat reunion celebration competition
holiday: christmas thanksgiving halloween easter hanukkah newyear valentine independence
job: teacher doctor nurse engineer lawyer manager designer writer artist chef programmer developer accountant scientist counselor therapist actor musician waiter driver mechanic coach analyst consultant assistant
career: teacher doctor nurse engineer lawyer manager designer writer artist chef programmer developer accountant scientist counselor therapist actor musician coach
profession: teacher doctor nurse engineer lawyer manager designer writer artist chef programmer developer accountant scientist counselor therapist actor musician coach plumber dentist electrician
field: engineering medicine law education psychology business marketing science counseling nursing art design technology
health: doctor hospital diet weight exercise sick injury pain illness medicine surgery blood heart stress sleep
ailment: pain injury fever cold flu allergy headache migraine asthma diabetes infection arthritis anxiety depression cancer
symptom: pain fever cough headache nausea dizzy rash fatigue sore
injury: ankle knee sprain fracture broken wrist back shoulder leg arm
disease: cancer diabetes flu infection asthma arthritis alzheimer
clothing: shirt dress jacket coat shoe hat jeans skirt sweater hoodie scarf boot sock suit
accessory: hat scarf belt bag watch necklace ring bracelet earring glasses
jewelry: necklace ring bracelet earring pendant
vehicle: car truck bike motorcycle van bus train boat plane suv scooter
car: ford toyota honda tesla bmw audi mercedes jeep suv sedan truck
transport: car bus train plane bike boat taxi subway flight
art: paint draw sculpture pottery photography sketch canvas watercolor mural ceramic
color: red blue green yellow purple orange pink black white brown gold silver gray
weather: rain snow sun storm wind hot cold cloud hurricane flood
disaster: flood fire earthquake hurricane tornado storm
emotion: happy sad angry afraid proud excited nervous anxious grateful lonely relief joy love frustrated disappointed overwhelmed
feel: happy sad angry afraid scared proud excited nervous anxious grateful thankful lonely relieved joy amazing great overwhelmed frustrated disappointed awesome incredible
reaction: happy sad angry shocked surprised excited thrilled scared amazed laughed cried
season: spring summer autumn winter fall
school: class student teacher course exam degree university college homework
degree: bachelor master phd engineering psychology business law medicine history science economics literature
course: class lesson workshop training certificate
device: phone laptop tablet computer camera watch headphone speaker
electronics: phone laptop tablet computer camera tv headphone speaker console
software: app website program database system platform
language: english spanish french german italian portuguese chinese japanese korean russian arabic python java javascript
subject: math science history english art music physics biology chemistry literature
money: pay salary budget dollar price cost bank loan debt rent
expense: rent bill food insurance repair tax
payment: card cash invoice transfer check paypal
nature: mountain forest lake beach sunset flower tree river ocean waterfall trail
landscape: mountain forest lake beach sunset ocean river desert
plant: flower tree rose succulent cactus herb tulip lily sunflower orchid seed
contact: phone email address number
company: inc ltd corp firm agency startup
organization: charity nonprofit club church foundation agency association
member: mother father brother sister son daughter wife husband
relax: yoga meditation bath walk read music massage sleep nature paint tea
religion: church god faith pray prayer bible mosque temple
gift: book toy flower card watch jewelry bracelet perfume voucher
furniture: table chair sofa couch bed desk lamp shelf
appliance: oven fridge dishwasher washer dryer microwave toaster
room: kitchen bedroom bathroom office garage basement attic
building: house church school hospital tower castle barn library
award: prize trophy medal winner first
show: series episode season watch netflix
band: concert album singer guitarist drummer rock
artist: singer band painter musician album
author: book novel writer series
habit: smoke drink routine daily sleep exercise
challenge: difficult tough injury problem stress obstacle struggle setback
plan: tomorrow next soon going upcoming
goal: want hope dream win improve become
shape: circle square triangle heart star
material: wood metal glass clay stone leather cotton plastic
body: head arm leg back knee ankle shoulder hand foot stomach heart
time: morning afternoon evening night noon midnight
age: birthday old year turned
`
