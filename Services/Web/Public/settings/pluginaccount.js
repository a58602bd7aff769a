// The account of a plugin at its service: the person's own application, signing in and out.
import { change } from '../core/api.js';
import { h } from '../core/dom.js';
import { ago } from '../core/format.js';
import { showBanner, showError } from '../parts/banners.js';
import { field, form, textButton } from '../parts/controls.js';

const path = ({ id }) => `plugins/${encodeURIComponent(id)}/sign-in`;

function signedIn(plugin, reload) {
  const { service, name, since } = plugin.account;
  const words = `Signed in at ${service}${name ? ` as ${name}` : ''}${since ? `, ${ago(since)}` : ''}.`;
  const leave = textButton('Sign out', null, async () => {
    try {
      await change(path(plugin), {}, 'DELETE');
      showBanner(`Signed out of ${service}.`);
      await reload();
    } catch (error) {
      showError(error);
    }
  }, { kind: 'quiet', label: `Sign out of ${service}` });
  return h('div', { class: 'row between account' }, h('p', { class: 'source-line', text: words }), leave);
}

/** Returns the form that takes the address at which the browser ended. */
function pasteForm(plugin, reload) {
  const { service } = plugin.account;
  return form('Then come back',
    'After you allowed access, the browser ends at an address that shows nothing here. Copy that address to here '
      + 'within five minutes.',
    [field('Address', { name: 'redirect', required: true, inputmode: 'url' })], 'Sign in', async ({ redirect }) => {
      const { account } = await change(path(plugin), { redirect }, 'PUT');
      showBanner(`Signed in at ${service}${account.name ? ` as ${account.name}` : ''}.`);
      await reload();
    });
}

function signInForm(plugin, reload) {
  const { service, clientID, needsSecret, hasSecret, redirect, page, problem } = plugin.account;
  const second = h('div', { class: 'sign-in', role: 'status', hidden: true });
  const hint = [`${service} needs an application of your own, with the redirect address `,
    h('code', { text: redirect }), '. One makes it at ',
    h('a', { href: page, target: '_blank', rel: 'noopener noreferrer', text: page.replace(/^\w+:\/\//, '') }), '.'];
  const fields = [field('Client id', { name: 'clientID', value: clientID ?? '', required: true })];
  if (needsSecret) {
    fields.push(field('Client secret', {
      name: 'clientSecret', type: 'password', placeholder: hasSecret ? 'It is set' : '', required: !hasSecret,
    }));
  }
  const first = form(`Account at ${service}`, hint, fields, 'Sign in', async (values) => {
    const { open } = await change(path(plugin), {
      clientID: values.clientID, clientSecret: values.clientSecret || undefined,
    });
    // The service's own page is opened by the link, as browsers stop pages that a script opens late.
    second.hidden = false;
    second.replaceChildren(h('a', {
      class: 'pill first', href: open, target: '_blank', rel: 'noopener noreferrer', text: `Open ${service}`,
    }), pasteForm(plugin, reload));
  });
  return h('div', { class: 'account' },
    problem ? h('p', { class: 'source-line', text: problem.message }) : null,
    first, second);
}

/** Returns the row of a plugin's account; null for a plugin that wants none. */
export function accountRow(plugin, reload) {
  if (!plugin.account) return null;
  const { isSignedIn, service } = plugin.account;
  if (isSignedIn) return signedIn(plugin, reload);
  return h('details', {}, h('summary', { text: `Sign in at ${service}` }), signInForm(plugin, reload));
}
