// The genres and subcategories to which a tag can be added: the ids and names of
// Services/Discovery/Taxonomy/taxonomy.json. A test of the page compares both.

/**
 * The genres in their order, each as its id, its name, and its subcategories as ids and names.
 * @type {[id: string, name: string, subs: [id: string, name: string][]][]}
 */
export const genres = [
  ['rock', 'Rock', [
    ['rock-alternative', 'Alternative'],
    ['rock-classic', 'Classic Rock'],
    ['rock-indie', 'Indie Rock'],
    ['rock-punk', 'Punk'],
    ['rock-metal', 'Metal'],
    ['rock-hard', 'Hard Rock'],
    ['rock-prog', 'Prog Rock'],
    ['rock-psychedelic', 'Psychedelic'],
  ]],
  ['pop', 'Pop', [
    ['pop-adult-contemporary', 'Adult Contemporary'],
    ['pop-indie', 'Indie Pop'],
    ['pop-kpop', 'K-Pop'],
    ['pop-jpop', 'J-Pop'],
    ['pop-singer-songwriter', 'Singer/Songwriter'],
    ['pop-synth', 'Synth Pop'],
  ]],
  ['hiphop', 'Hip-Hop/Rap', [
    ['hiphop-east-coast', 'East Coast'],
    ['hiphop-west-coast', 'West Coast'],
    ['hiphop-trap', 'Trap'],
    ['hiphop-conscious', 'Conscious'],
    ['hiphop-underground', 'Underground'],
    ['hiphop-dirty-south', 'Dirty South'],
  ]],
  ['electronic', 'Electronic', [
    ['electronic-house', 'House'],
    ['electronic-techno', 'Techno'],
    ['electronic-ambient', 'Ambient'],
    ['electronic-drum-and-bass', 'Drum & Bass'],
    ['electronic-dubstep', 'Dubstep'],
    ['electronic-idm', 'IDM'],
    ['electronic-trance', 'Trance'],
    ['electronic-downtempo', 'Downtempo'],
  ]],
  ['rnb', 'R&B/Soul', [
    ['rnb-contemporary', 'Contemporary R&B'],
    ['rnb-classic-soul', 'Classic Soul'],
    ['rnb-funk', 'Funk'],
    ['rnb-neo-soul', 'Neo-Soul'],
  ]],
  ['jazz', 'Jazz', [
    ['jazz-bebop', 'Bebop'],
    ['jazz-contemporary', 'Contemporary Jazz'],
    ['jazz-fusion', 'Fusion'],
    ['jazz-latin', 'Latin Jazz'],
    ['jazz-smooth', 'Smooth Jazz'],
  ]],
  ['country', 'Country', [
    ['country-alternative', 'Alternative Country'],
    ['country-americana', 'Americana'],
    ['country-classic', 'Classic Country'],
    ['country-contemporary', 'Contemporary Country'],
  ]],
  ['classical', 'Classical', [
    ['classical-baroque', 'Baroque'],
    ['classical-chamber', 'Chamber Music'],
    ['classical-modern', 'Modern'],
    ['classical-opera', 'Opera'],
    ['classical-orchestral', 'Orchestral'],
  ]],
  ['latin', 'Latin', [
    ['latin-reggaeton', 'Reggaeton'],
    ['latin-salsa', 'Salsa & Tropical'],
    ['latin-rock', 'Latin Rock'],
    ['latin-pop', 'Latin Pop'],
  ]],
  ['folk', 'Folk', [
    ['folk-alternative', 'Alternative Folk'],
    ['folk-contemporary', 'Contemporary Folk'],
    ['folk-traditional', 'Traditional Folk'],
  ]],
  ['blues', 'Blues', [
    ['blues-acoustic', 'Acoustic Blues'],
    ['blues-chicago', 'Chicago Blues'],
    ['blues-classic', 'Classic Blues'],
    ['blues-contemporary', 'Contemporary Blues'],
    ['blues-country', 'Country Blues'],
    ['blues-delta', 'Delta Blues'],
    ['blues-electric', 'Electric Blues'],
  ]],
  ['reggae', 'Reggae', [
    ['reggae-dub', 'Dub'],
    ['reggae-lovers', 'Lovers Rock'],
    ['reggae-dancehall', 'Dancehall'],
    ['reggae-roots', 'Roots Reggae'],
    ['reggae-ska', 'Ska'],
  ]],
  ['soundtrack', 'Soundtrack', [
    ['soundtrack-score', 'Original Score'],
    ['soundtrack-musicals', 'Musicals'],
    ['soundtrack-tv', 'TV Soundtrack'],
    ['soundtrack-games', 'Video Game'],
    ['soundtrack-foreign', 'Foreign Cinema'],
  ]],
  ['world', 'World', [['world-african', 'African']]],
  ['other', 'Other', []],
];
