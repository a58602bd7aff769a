"""Finds controls that are cut off, and pages that are wider than their window."""

# A control is cut off if a part of it lies beyond the sides of the window, or of a box that hides what overflows and cannot be
# scrolled; a fixed one also if it lies beyond the top or the bottom. What is hidden on purpose is left out, and what a reel or a
# list scrolls.
CUT_OFF = """
    const controls = 'button, a[href], input, select, textarea, [role=slider], [role=button]';
    const found = [];
    if (document.documentElement.scrollWidth > innerWidth + 1) {
      found.push(`the page is ${document.documentElement.scrollWidth} pixels wide in a window of ${innerWidth}`);
    }
    const scrolls = (style, axis) => ['auto', 'scroll'].includes(style[axis]);
    const name = (one) => `${one.tagName.toLowerCase()}.${one.className} “${(one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 40)}”`;
    for (const one of document.querySelectorAll(controls)) {
      if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || one.closest('[inert], .visually-hidden, .skip')) continue;
      const box = one.getBoundingClientRect();
      if (box.width < 2 || box.height < 2) continue;
      let isScrolled = false;
      let isFixed = false;
      let cut = null;
      for (let outer = one; outer && outer !== document.body; outer = outer.parentElement) {
        const style = getComputedStyle(outer);
        if (style.position === 'fixed') isFixed = true;
        if (outer === one) continue;
        if (scrolls(style, 'overflowX') || scrolls(style, 'overflowY')) { isScrolled = true; break; }
        if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
        const edge = outer.getBoundingClientRect();
        if (box.left < edge.left - 2 || box.right > edge.right + 2) cut = outer;
      }
      if (isScrolled) continue;
      if (box.left < -1 || box.right > innerWidth + 1) found.push(`${name(one)} is cut off at the side`);
      else if (isFixed && (box.top < -1 || box.bottom > innerHeight + 1)) found.push(`${name(one)} is cut off above or below`);
      else if (cut) found.push(`${name(one)} is cut off by ${cut.tagName.toLowerCase()}.${cut.className}`);
    }
    return [...new Set(found)].slice(0, 8)"""


def cut_off(page):
    """Returns the controls of the page that is shown which cannot be seen whole."""
    return page.run(CUT_OFF)
