// Tells when an element comes into sight. While a person scrolls too fast to see anything, nothing does: a book may have a thousand pages, and
// reading all that pass by would keep the browser and the server from what the person stops at.

/** In windows a second. */
const tooFast = 3;
/** How long the window rests before it counts as still, in milliseconds. */
const still = 120;
/** How far beyond the window an element counts as in sight. */
const margin = "400px";

const waiting = new Map<Element, () => void>();
const near = new Set<Element>();
let flying = false;
let timer = 0;
let last = { top: 0, at: 0 };

const watcher = new IntersectionObserver(
  (entries) => {
    for (const e of entries) {
      if (e.isIntersecting) near.add(e.target);
      else near.delete(e.target);
    }
    tell();
  },
  { rootMargin: margin },
);

function tell(): void {
  if (flying) return;
  for (const element of near) {
    const seen = waiting.get(element);
    forget(element);
    seen?.();
  }
}

function forget(element: Element): void {
  watcher.unobserve(element);
  waiting.delete(element);
  near.delete(element);
}

function scrolled(): void {
  const now = { top: scrollY, at: performance.now() };
  flying = Math.abs(now.top - last.top) * 1000 > tooFast * innerHeight * (now.at - last.at);
  last = now;
  clearTimeout(timer);
  timer = setTimeout(() => {
    flying = false;
    tell();
  }, still);
  tell();
}
addEventListener("scroll", scrolled, { passive: true });

/** Calls a function once the element is in sight, unless the function that it returns is called before. */
export function whenSeen(element: Element, seen: () => void): () => void {
  waiting.set(element, seen);
  watcher.observe(element);
  return () => forget(element);
}
