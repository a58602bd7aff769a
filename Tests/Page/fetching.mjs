// Answers that a test gives in place of the service.

/** Lets `answer(url, options)` answer all requests; it returns the content of an answer, or a promise of it. */
export function answerWith(answer) {
  globalThis.fetch = async (path, options) => {
    const content = await answer(new URL(path, 'http://localhost'), options);
    return new Response(JSON.stringify(content), { headers: { 'Content-Type': 'application/json' } });
  };
}

/** Fails as a browser does without a connection. */
export function cut() {
  throw new TypeError('fetch failed');
}

/** Lets what is under way go on once. */
export const turn = () => new Promise((next) => { setImmediate(next); });

/** Waits for a condition, for at most 10 s. */
export async function until(isSo) {
  for (const end = Date.now() + 10_000; !isSo(); await turn()) {
    if (Date.now() > end) throw new Error(`Waited in vain: ${isSo}`);
  }
}
