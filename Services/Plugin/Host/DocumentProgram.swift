/// The part of the program of the host that makes documents of pages in HTML: as much of the DOM as plugins use.
enum DocumentProgram {
  /// The text of the program. It expects `host.html`, and defines `DOMParser`.
  static let text = #"""
    class Element {
      constructor([name, attributes, ...nodes]) {
        this.tagName = name.toUpperCase();
        this.attributes = attributes;
        this.nodes = nodes.map((node) => (typeof node === 'string' ? node : new Element(node)));
      }
      get children() { return this.nodes.filter((node) => typeof node !== 'string'); }
      get textContent() { return this.nodes.map((node) => (typeof node === 'string' ? node : node.textContent)).join(''); }
      get innerText() { return this.textContent; }
      get id() { return this.getAttribute('id') ?? ''; }
      get className() { return this.getAttribute('class') ?? ''; }
      get content() { return this.getAttribute('content') ?? ''; }
      get href() { return this.getAttribute('href') ?? ''; }
      get src() { return this.getAttribute('src') ?? ''; }
      getAttribute(name) {
        name = String(name).toLowerCase();
        return Object.hasOwn(this.attributes, name) ? this.attributes[name] : null;
      }
      hasAttribute(name) { return this.getAttribute(name) !== null; }
      querySelectorAll(text) {
        const choices = selectors(text), found = [];
        const visit = (element, above) => {
          for (const child of element.children) {
            if (choices.some((parts) => fits(child, above, parts))) found.push(child);
            visit(child, [...above, child]);
          }
        };
        visit(this, []);
        return found;
      }
      querySelector(text) { return this.querySelectorAll(text)[0] ?? null; }
      getElementsByTagName(name) { return this.querySelectorAll(name); }
      getElementsByClassName(name) { return this.querySelectorAll('.' + name); }
    }

    // A selector is a list of choices. Each is a list of descendants, and each of these a list of tests of one element.
    function selectors(text) {
      return String(text).split(',').map((choice) => choice.trim().match(/(?:\[[^\]]*\]|[^\s[])+/g)?.map(tests) ?? [() => false]);
    }

    function tests(compound) {
      const parts = compound.match(/\[[^\]]*\]|[.#]?[\w-]+|\*/g) ?? [];
      const all = parts.map((part) => {
        if (part === '*') return () => true;
        if (part[0] === '.') return (element) => element.className.split(/\s+/).includes(part.slice(1));
        if (part[0] === '#') return (element) => element.id === part.slice(1);
        if (part[0] !== '[') return (element) => element.tagName === part.toUpperCase();
        const [, name, sign, quoted, plain] = part.match(/^\[\s*([\w:-]+)\s*(?:([*^$~]?=)\s*(?:["']([^"']*)["']|([^\]]*?)))?\s*\]$/) ?? [];
        if (name === undefined) return () => false;
        const wanted = quoted ?? plain;
        return (element) => {
          const value = element.getAttribute(name);
          if (value === null || sign === undefined) return value !== null;
          if (sign === '=') return value === wanted;
          if (sign === '^=') return value.startsWith(wanted);
          if (sign === '$=') return value.endsWith(wanted);
          if (sign === '*=') return value.includes(wanted);
          return value.split(/\s+/).includes(wanted);
        };
      });
      return parts.join('').length === compound.length ? (element) => all.every((test) => test(element)) : () => false;
    }

    function fits(element, above, parts) {
      if (!parts[parts.length - 1](element)) return false;
      let left = parts.length - 2;
      for (let index = above.length - 1; index >= 0 && left >= 0; index--) if (parts[left](above[index])) left--;
      return left < 0;
    }

    globalThis.DOMParser = class DOMParser {
      parseFromString(text) {
        const tree = host.html(String(text));
        const root = new Element(tree === null ? ['html', {}] : parse(tree));
        const page = new Element(['#document', {}]);
        page.nodes = [root];
        page.documentElement = root;
        page.body = page.querySelector('body');
        page.title = page.querySelector('title')?.textContent ?? '';
        return page;
      }
    };
    """#
}
