// What English words have to do with each other: general knowledge, kept by hand. Words are compared by their stems, so
// one form of each is enough.

/** Words that mean nearly the same, group by group: a question for one also looks for the others, at less weight. */
export const wordGroups = `
buy purchase acquire order get shop|talk speak chat discuss conversation|like love enjoy adore fond favorite prefer|plan
intend intention aim goal|work job career occupation profession employment|volunteer voluntary charity|house home
apartment flat place residence|live lives|trip travel journey vacation holiday visit tour getaway|travel visit go|photo
photograph photography image camera snapshot|music song musician|concert gig show performance|book novel story read|
write journal blog article poem|marry marriage wedding|friend friendship buddy pal companion mate|dog puppy|adopt
adoption foster|hurt injury injure wound accident|doctor physician specialist appointment doc|class course lesson
workshop|team squad club|religion religious church faith spiritual god|nature outdoors wilderness|sunset sunrise|app
application software program|solution solve fix repair|break damage|change transform transition|improve better enhance
progress|reason cause because motivate inspire|important significant meaningful special|symbol represent meaning|decide
decision choose choice select|advice advise suggest suggestion recommend tip|shoe sneaker boot|name call|neighborhood
area|attend participate join partake involved|organize organise arrange host|watch see view|discover find|recent lately|
injury recovery recover heal rehab|achieve accomplish success succeed reach|face encounter deal|explore discover visit|
show series program episode|camp tent campfire|hike trail trek|influence inspire impact|reaction respond response react|
personality character trait
`

/** What kinds of things words name: a question for a kind also looks for the things. `kind other-kind: things of both`. */
export const wordKinds = `
activity hobby: swim hike camp run jog bike paint draw read cook bake dance sing yoga garden fish kayak ski skate surf
climb knit sew craft pottery photography meditate travel game chess puzzle write golf tennis|activity: walk volunteer
music gym workout exercise museum picnic concert boat sail skateboard snowboard horseback bowl karaoke|sport: basketball
football soccer baseball tennis volleyball hockey golf swim run boxing cricket rugby ski snowboard surf climb gymnastics
track skate martial karate wrestling cycling race|exercise workout: run swim yoga pilates gym weight lift cardio
aerobics boxing kickboxing spin crossfit strength|exercise: jog hike bike walk stretch|martial: karate judo taekwondo
kickboxing boxing kungfu jiujitsu aikido wrestling|instrument: guitar piano violin drum flute clarinet saxophone cello
trumpet keyboard bass ukulele harp harmonica|music: song band concert album singer rock pop jazz classical rap hiphop
country guitar piano violin melody tune playlist|genre: fantasy mystery thriller romance horror comedy drama fiction
scifi action adventure biography history documentary rock pop jazz classical country|animal pet: dog cat puppy kitten
bird fish horse rabbit turtle snake lizard hamster guinea parrot|breed: labrador retriever poodle shepherd bulldog
beagle terrier husky collie spaniel siamese persian mix|food dish: pizza pasta salad soup sandwich burger chicken rice
sushi taco curry noodle steak pancake salmon lasagna stew roast|food: beef fish bread cheese cake cookie pie chocolate
fruit vegetable egg shrimp dessert snack tofu meat|snack: chip cookie candy chocolate popcorn nut fruit soda cracker|
diet: vegan vegetarian keto gluten sugar calorie protein|country european: england britain uk scotland ireland france
germany spain italy portugal netherlands belgium switzerland austria sweden norway denmark finland iceland poland
greece|city: london paris rome berlin madrid barcelona amsterdam tokyo york boston chicago seattle angeles francisco
miami toronto vancouver sydney dublin vegas orlando denver houston dallas austin portland philadelphia|state: california
texas florida york washington oregon colorado michigan minnesota wisconsin illinois ohio georgia virginia carolina
pennsylvania massachusetts connecticut maine vermont alaska hawaii nevada utah arizona montana indiana tennessee|place
location: city town park beach mountain museum restaurant cafe forest lake country island|place: store shop gallery
theater stadium river bar castle zoo|family relative: mother father brother sister uncle aunt cousin grandmother
grandfather nephew niece|family: son daughter husband wife parent child|child: son daughter kid toddler baby boy girl|
movie: film cinema actor watch scene comedy thriller director trilogy series|game: chess video console playstation xbox
nintendo board card puzzle rpg strategy tournament poker monopoly|event: party concert festival parade wedding
conference workshop fair fundraiser gala ceremony tournament race marathon exhibition show meeting retreat reunion
celebration competition|field: engineering medicine law education psychology business marketing science counseling
nursing art design technology|health: doctor hospital diet weight exercise sick injury pain illness medicine surgery
blood heart stress sleep|injury: ankle knee sprain fracture broken wrist back shoulder leg arm|art: paint draw sculpture
pottery photography sketch canvas watercolor mural ceramic|disaster: flood fire earthquake hurricane tornado storm|
device: phone laptop tablet computer camera watch headphone speaker|electronics: phone laptop tablet computer camera tv
headphone speaker console|member: mother father brother sister son daughter wife husband|gift: book toy flower card
watch jewelry bracelet perfume voucher|band: concert album singer guitarist drummer rock|author: book novel writer
series
`
