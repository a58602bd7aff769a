// What surrounds the script of the service worker: the lines that the service sends before it, and the scope in which
// a browser runs it.

/** The version of the page's files. */
declare const version: string;
/** The hash of each file by its name. */
declare const tags: Record<string, string>;

interface WorkerGlobalScope {
  readonly clients: Clients;
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener<Kind extends keyof ServiceWorkerGlobalScopeEventMap>(
    kind: Kind, listener: (event: ServiceWorkerGlobalScopeEventMap[Kind]) => void): void;
}

interface AbortController {
  abort(reason?: unknown): void;
}
