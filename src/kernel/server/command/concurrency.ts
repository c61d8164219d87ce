/** Too many do the same thing at once, or for too long: whoever came is asked to try again. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn';
}

type Done = () => void;

interface Waiter {
  come(): void;
}

/** So many at once; the rest waits in memory, in the order in which it came, and holds no connection meanwhile. */
export class Turns {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  #running = 0;
  readonly #waiting = new Set<Waiter>();

  constructor(atOnce: number, mostWaiting = Infinity) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting.size === 0;
  }

  /**
   * @param patienceMs how long to wait; null: until the turn comes
   * @returns ends the turn
   * @throws NoTurn
   */
  take(patienceMs: number | null): Promise<Done> {
    if (this.#running < this.#atOnce) return Promise.resolve(this.#begin());
    if (this.#waiting.size >= this.#mostWaiting) return Promise.reject(new NoTurn('too many wait'));
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        come: () => {
          clearTimeout(timer);
          resolve(this.#begin());
        },
      };
      const giveUp = () => {
        this.#waiting.delete(waiter);
        reject(new NoTurn(`no turn within ${patienceMs} ms`));
      };
      const timer = patienceMs === null ? undefined : setTimeout(giveUp, patienceMs);
      this.#waiting.add(waiter);
    });
  }

  #begin(): Done {
    this.#running += 1;
    return () => {
      this.#running -= 1;
      const [next] = this.#waiting;
      if (next === undefined) return;
      this.#waiting.delete(next);
      next.come();
    };
  }
}

/** Turns of each key; those of whom nobody has any are forgotten. */
export class KeyedTurns {
  readonly #byKey = new Map<string, Turns>();
  readonly #make: () => Turns;

  constructor(make: () => Turns) {
    this.#make = make;
  }

  async take(key: string, patienceMs: number): Promise<Done> {
    const turns = this.#byKey.get(key) ?? this.#make();
    this.#byKey.set(key, turns);
    const done = await turns.take(patienceMs);
    return () => {
      done();
      if (turns.isIdle && this.#byKey.get(key) === turns) this.#byKey.delete(key);
    };
  }
}
