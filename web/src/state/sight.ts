// Tells when an element comes into sight, and when it goes. While a person scrolls too fast to see anything, nothing comes: a book may have a
// thousand pages, and reading all that pass by would keep the browser and the server from what the person stops at.

/** In windows a second. */
const tooFast = 3;
/** How long the window rests before it counts as still, in milliseconds. */
const still = 120;
/** How far beyond the window an element counts as in sight, and how far beyond it as out of sight. */
const margin = { near: "400px", far: "200%" };

/** What is told of the elements that are watched, and which of them were told to be in sight. */
const watched = new Map<Element, (inSight: boolean) => void>();
const told = new Set<Element>();
const near = new Set<Element>();
let flying = false;
let timer = 0;
let last = { top: 0, at: 0 };

const coming = new IntersectionObserver(
  (entries) => {
    for (const e of entries) {
      if (e.isIntersecting) near.add(e.target);
      else near.delete(e.target);
    }
    tell();
  },
  { rootMargin: margin.near },
);

const going = new IntersectionObserver(
  (entries) => {
    // What is not laid out yet is nowhere, also where it is near by the time that this is told.
    for (const { isIntersecting, target } of entries) if (!isIntersecting && !near.has(target) && told.delete(target)) watched.get(target)?.(false);
  },
  { rootMargin: margin.far },
);

function tell(): void {
  if (flying) return;
  for (const element of near) {
    if (told.has(element)) continue;
    told.add(element);
    watched.get(element)?.(true);
  }
}

function forget(element: Element): void {
  for (const observer of [coming, going]) observer.unobserve(element);
  watched.delete(element);
  near.delete(element);
  told.delete(element);
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

/** Tells whenever an element comes into sight or goes far out of it, until the function that it returns is called. */
export function watchSight(element: Element, change: (inSight: boolean) => void): () => void {
  watched.set(element, change);
  for (const observer of [coming, going]) observer.observe(element);
  return () => forget(element);
}

/** Calls a function once the element is in sight, unless the function that it returns is called before. */
export function whenSeen(element: Element, seen: () => void): () => void {
  const end = watchSight(element, () => {
    end();
    seen();
  });
  return end;
}
