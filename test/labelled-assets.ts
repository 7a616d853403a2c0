/** Forty subjects of a café, a hotel, a craftsman and a dentist, five assets each, in English and German as agencies mix them. */
const subjects = `
breakfast | Frühstücksbuffet am Sonntag; Breakfast for two; Gedeckter Frühstückstisch; Croissants and jam; Müsli mit Beeren | Frühstück, breakfast | A table laid for breakfast
terrace | Terrasse im Sommer; Guests on the terrace; Sonnenschirme auf der Terrasse; Terrace at night; Blick von der Terrasse | Terrasse, terrace | Chairs in the sun
coffee | Kaffee mit Milchschaum; Espresso machine; Barista gießt Kaffee ein; Flat white from above; Kaffeebohnen | Kaffee, coffee | A cup of coffee
cake | Apfelkuchen; Chocolate cake; Kuchentheke; Cheesecake slice; Torte zum Geburtstag | Kuchen, cake | A slice on a plate
menu | Speisekarte Mittag; Menu board outside; Speisekarte Winter; The new menu; Tageskarte auf Tafel | Speisekarte, menu | Prices and dishes
chef | Küchenchef Marco; The chef at work; Koch am Herd; Chef tasting soup; Porträt des Küchenchefs | Koch, chef | A man with an apron
kitchen | Küche vor dem Service; Kitchen crew; Blick in die Küche; Steel pans in the kitchen; Küchenzeile | Küche, kitchen | Pans and steam
wine | Rotwein im Glas; Wine cellar; Weinkeller; White wine and olives; Weinprobe im Herbst | Wein, wine | A glass on a barrel
waiter | Kellnerin Anna; Waiter with tray; Service am Tisch; Waitress laughing; Kellner serviert | Service, waiter | Somebody carries plates
facade | Fassade am Abend; Front of the house; Hausfassade nach Renovierung; Facade in snow; Eingang und Fassade | Fassade, facade | The house from the street
room | Doppelzimmer mit Balkon; Double room; Einzelzimmer; Hotel room with sea view; Zimmer 12 | Zimmer, room | A bed with white sheets
suite | Juniorsuite; The honeymoon suite; Suite unter dem Dach; Bathroom of the suite; Suite mit Kamin | Suite, suite | A large room with a sofa
lobby | Hotelhalle; Lobby with flowers; Empfang in der Lobby; Lobby bar; Sessel in der Hotelhalle | Lobby, lobby | People with suitcases
reception | Rezeption; Reception desk; Schlüssel an der Rezeption; Late check-in at reception; Rezeptionistin Julia | Rezeption, reception | A bell on a desk
pool | Schwimmbad; Swimming pool; Becken im Garten; Pool at sunset; Kinder im Schwimmbad | Schwimmbad, pool | Blue water
spa | Wellnessbereich; Spa with candles; Ruheraum im Wellnessbereich; Spa entrance; Massage | Wellness, spa | Towels and stones
sauna | Finnische Sauna; Sauna with view; Aufguss; Steam in the sauna; Sauna im Garten | Sauna, sauna | Wooden benches
garden | Garten im Frühling; Roses in the garden; Gartenweg; Vegetable garden; Kräutergarten | Garten, garden | Flowers along a path
wedding | Hochzeit im Park; Wedding table; Brautpaar; Wedding cake table; Trauung unter Bäumen | Hochzeit, wedding | A couple in white
conference | Tagungsraum; Conference room; Seminar im Saal; Conference coffee break; Konferenz mit Beamer | Tagung, conference | Rows of chairs
christmas | Weihnachtsmarkt; Christmas tree; Weihnachtsfeier; Christmas lights; Adventskranz | Weihnachten, christmas | Candles and stars
roof | Dachstuhl; New roof tiles; Dachdecker bei der Arbeit; Roof from the drone; Flachdach | Dach, roof | Tiles and a crane
carpenter | Tischler an der Werkbank; Carpenter planing; Tischlermeister; Carpenter with oak board; Tischlerei von innen | Tischler, carpenter | Wood shavings
stairs | Holztreppe; Oak stairs; Treppengeländer; Stairs before and after; Wendeltreppe | Treppe, stairs | Steps of wood
workshop | Werkstatt am Morgen; Our workshop; Werkstatt mit Maschinen; Workshop open day; Sägen in der Werkstatt | Werkstatt, workshop | Tools on a wall
window | Fenstereinbau; New windows; Altbaufenster; Window handle; Fensterrahmen | Fenster, window | Glass and frames
painter | Malermeister; Painter on a ladder; Maler streicht Wand; Colours of the painter; Malerbetrieb | Maler, painter | A brush and white paint
floor | Parkett verlegen; Oak floor; Fußboden nach Schliff; Floor heating; Dielenboden | Fußboden, floor | Boards in a row
apprentice | Lehrling im ersten Jahr; Apprentice learning; Auszubildende gesucht; Apprentice of the year; Azubi an der Säge | Ausbildung, apprentice | A young person with a plan
van | Firmenwagen; Our new van; Transporter vor dem Haus; Van with logo; Lieferwagen | Fahrzeug, van | A white car
dentist | Zahnarzt Dr. Weber; The dentist; Zahnärztin mit Patientin; Dentist explaining; Porträt der Zahnärztin | Zahnarzt, dentist | A person with a mask
practice | Praxis von außen; Practice rooms; Behandlungszimmer; Practice opening; Praxisschild | Praxis, practice | A bright room
waitingroom | Wartezimmer; Waiting room; Kinderecke im Wartezimmer; Waiting area with magazines; Stühle im Wartezimmer | Wartezimmer, waiting room | Toys and chairs
cleaning | Zahnreinigung; Dental cleaning; Prophylaxe; Professional cleaning; Ablauf der Zahnreinigung | Zahnreinigung, cleaning | Instruments on a tray
implant | Implantat Modell; Implant explained; Zahnimplantat; Implant surgery; Implantat vorher nachher | Implantat, implant | A model of a tooth
braces | Zahnspange; Girl with braces; Feste Zahnspange; Invisible braces; Zahnspange für Erwachsene | Zahnspange, braces | A smile with wires
xray | Röntgenbild; X-ray of a jaw; Digitales Röntgen; Xray machine; Röntgengerät | Röntgen, x-ray | Grey picture of teeth
team | Team vor dem Haus; The whole team; Mannschaft 2026; Team lunch; Gruppenfoto | Team, team | Twelve people laugh
logo | Logo blau; Logo white; Logo auf transparentem Grund; Old logo; Wortmarke | Logo, logo | The name in letters
opening | Öffnungszeiten; Opening hours sign; Neue Öffnungszeiten im Winter; Opening party; Schild mit Öffnungszeiten | Öffnungszeiten, opening hours | A sign on a door
`

export interface LabelledAsset {
  label: string
  title: string
  tags: string[]
  altText: string
  description: string
  filename: string
  isFilm: boolean
}

const table = subjects
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((part) => part.trim()) as [string, string, string, string])

/** Two hundred. Descriptions mention another subject in passing, as descriptions do; one in five has no tags. */
export const labelledAssets: LabelledAsset[] = table.flatMap(([label, titles, tags, alt], row) =>
  titles.split(';').map((title, at) => {
    const [beside] = table[(row + 7 + at * 3) % table.length]![2].split(',')
    return {
      label,
      title: title.trim(),
      tags: at === 4 ? [] : tags.split(',').map((tag) => tag.trim()),
      altText: at % 2 ? alt : '',
      description: at % 2 ? '' : `Im Hintergrund: ${beside}`,
      filename:
        at === 4
          ? `${label}-${row}.jpg`
          : `${at % 2 ? 'IMG' : 'DSC'}_${String(1000 + row * 5 + at)}.${at === 3 ? 'mp4' : 'jpg'}`,
      isFilm: at === 3,
    }
  }),
)

/** What somebody types, which subjects or which one asset they mean, and what else they ask for. */
export const labelledQueries: [q: string, wanted: string[], filter?: Record<string, string>][] = [
  ['frühstück', ['breakfast']],
  ['fruhstuck', ['breakfast']],
  ['fruehstueck', ['breakfast']],
  ['breakfast', ['breakfast']],
  ['brekfast', ['breakfast']],
  ['terrasse', ['terrace']],
  ['terasse', ['terrace']],
  ['terrace', ['terrace']],
  ['kaffee', ['coffee']],
  ['kafee', ['coffee']],
  ['coffe', ['coffee']],
  ['KUCHEN', ['cake']],
  ['speisekarte', ['menu']],
  ['speisekrate', ['menu']],
  ['koch', ['chef']],
  ['küche', ['kitchen']],
  ['kueche', ['kitchen']],
  ['kitchen film', ['kitchen'], { mimeType: 'video/*', q: 'kitchen' }],
  ['wein', ['wine']],
  ['waiter', ['waiter']],
  ['fassade', ['facade']],
  ['fasade', ['facade']],
  ['hotel room', ['Hotel room with sea view']],
  ['zimmer', ['room']],
  ['suite', ['suite']],
  ['lobby', ['lobby']],
  ['rezepton', ['reception']],
  ['schwimmbad', ['pool']],
  ['schwimbad', ['pool']],
  ['wellness', ['spa']],
  ['sauna', ['sauna']],
  ['gartn', ['garden']],
  ['wedding', ['wedding']],
  ['hochziet', ['wedding']],
  ['conference', ['conference']],
  ['weihnachten', ['christmas']],
  ['wiehnachten', ['christmas']],
  ['dach', ['roof']],
  ['carpenter', ['carpenter']],
  ['tischler werkbank', ['Tischler an der Werkbank']],
  ['treppe', ['stairs']],
  ['werkstat', ['workshop']],
  ['fenster', ['window']],
  ['fussboden', ['floor']],
  ['lehrling', ['Lehrling im ersten Jahr']],
  ['zahnarzt', ['dentist']],
  ['zanarzt', ['dentist']],
  ['zahnspange', ['braces']],
  ['röntgen', ['xray']],
  ['oeffnungszeiten', ['opening']],
]

/** Words that none of them has, but which say the same. */
export const queriesByMeaning: typeof labelledQueries = [
  ['marriage', ['wedding']],
  ['Vermählung', ['wedding']],
  ['brunch', ['breakfast']],
  ['cappuccino', ['coffee']],
  ['Gebäck', ['cake']],
  ['Riesling', ['wine']],
  ['relaxation', ['spa']],
  ['Blumen', ['garden']],
  ['Schreiner', ['carpenter']],
  ['radiograph', ['xray']],
  ['Auto', ['van']],
  ['trainee', ['apprentice']],
]
