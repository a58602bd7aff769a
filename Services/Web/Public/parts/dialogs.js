// Dialogs over the page.

/** Shows a dialog, which is taken out of the page when it closes. A press beside it closes it. */
export function showDialog(dialog) {
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}
