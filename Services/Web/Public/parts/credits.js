// People in their roles: the words for roles, and lists of credits.
import { h } from '../core/dom.js';
import { count } from '../core/format.js';
import { address } from '../core/router.js';
import { tagAddress, tagWords } from '../core/tags.js';

/** The titles of the roles, for one person and for several. */
export const roles = {
  artist: ['Artist', 'Artists'], albumArtist: ['Album artist', 'Album artists'], composer: ['Composer', 'Composers'],
  conductor: ['Conductor', 'Conductors'],
  lyricist: ['Lyricist', 'Lyricists'], remixer: ['Remixer', 'Remixers'], performer: ['Performer', 'Performers'],
  arranger: ['Arranger', 'Arrangers'],
  producer: ['Producer', 'Producers'], engineer: ['Engineer', 'Engineers'], mixer: ['Mixer', 'Mixers'],
  djMixer: ['DJ mixer', 'DJ mixers'],
  writer: ['Writer', 'Writers'], director: ['Director', 'Directors'],
};

/** Returns the title of a role. */
export function roleTitle(role, number = 1) {
  return roles[role]?.[number > 1 ? 1 : 0] ?? role;
}

/** Returns a name, as a link to the person's page if there is one. */
export function personLink({ name, id }) {
  return id ? h('a', { class: 'link', href: address('artist', id), text: name }) : name;
}

/** Returns names with commas between them. */
export function personLinks(people) {
  return people.flatMap((person, index) => [index ? ', ' : null, personLink(person)]);
}

/** Returns tags of one kind as links to their albums, with commas between them. */
export function tagText(kind, names = []) {
  return names.flatMap((name, index) => [
    index ? ', ' : null, h('a', { class: 'link', href: tagAddress(kind, name), text: tagWords({ kind, name }) }),
  ]);
}

/** Returns a list of terms and their values `[term, value]`, without those that have no value; null if none has one. */
export function factList(facts) {
  const known = facts.filter(([, value]) => (Array.isArray(value) ? value.length : value));
  return known.length ? h('dl', { class: 'fact-list' },
    known.map(([term, value]) => h('div', {}, h('dt', { text: term }), h('dd', {}, value)))) : null;
}

/** Returns credits by role. Of `total` tracks, those who take part in fewer are shown with their number of tracks. */
export function creditList(credits, total = null) {
  const byRole = Map.groupBy(credits, ({ role }) => role);
  return factList([...byRole].map(([role, people]) => [roleTitle(role, people.length),
    people.map(({ name, artistID, instrument, tracks }) => h('span', { class: 'credit' },
      personLink({ name, id: artistID }), instrument ? `, ${instrument}` : '',
      total && tracks < total ? h('span', { class: 'soft', text: ` (${count(tracks, 'track')})` }) : ''))]));
}
