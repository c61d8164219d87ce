/** A piece of work was not done in the time that it was given; it may still end later. */
class TooSlow extends Error {}

/** Waits for some work so long and no longer. @throws TooSlow */
export function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TooSlow()), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
