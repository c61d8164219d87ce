interface UnderWay<T> {
  since: number;
  done: Promise<T>;
  next: Promise<T> | null;
}

/**
 * Makes one read of those that are asked for at the same time, so that a crowd does not wait for the pool's connections. Who comes while
 * one is under way shares the next, which begins after he came: nobody is answered from before a change that he may know of.
 * @param longestMs a read that takes longer is not waited for: the next one begins at once
 */
export function sharedReads<T>(read: (key: string) => Promise<T>, longestMs: number): (key: string) => Promise<T> {
  const underWay = new Map<string, UnderWay<T>>();

  function begin(key: string): Promise<T> {
    const own: UnderWay<T> = { since: performance.now(), done: read(key), next: null };
    underWay.set(key, own);
    const end = () => {
      if (own.next === null && underWay.get(key) === own) underWay.delete(key);
    };
    void own.done.then(end, end);
    return own.done;
  }

  return (key) => {
    const running = underWay.get(key);
    if (!running || performance.now() - running.since > longestMs) return begin(key);
    const afterwards = () => begin(key);
    running.next ??= running.done.then(afterwards, afterwards);
    return running.next;
  };
}
