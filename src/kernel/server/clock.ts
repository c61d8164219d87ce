import type { Day, Instant } from '../contract/time.ts';
import { dayOf, instantOf, plusMs } from '../contract/time.ts';
import type { Config } from './config/config.ts';

/** The only source of time: domains never ask the machine or the database for it. */
export interface Clock {
  now(): Instant;
  today(): Day;
}

export const systemClock: Clock = {
  now: () => instantOf(Date.now()),
  today: () => dayOf(instantOf(Date.now())),
};

/** A clock that does not advance until it is moved; for tests and browser journeys. */
export class MovableClock implements Clock {
  #at: Instant;
  constructor(at: Instant) {
    this.#at = at;
  }
  now() {
    return this.#at;
  }
  today() {
    return dayOf(this.#at);
  }
  set(at: Instant) {
    this.#at = at;
  }
  advance(ms: number) {
    this.#at = plusMs(this.#at, ms);
  }
}

/** Browser journeys move the time themselves; everybody else lives in the machine's. */
export const clockOf = ({ mode, clockStart }: Pick<Config, 'mode' | 'clockStart'>): Clock =>
  mode === 'test' ? new MovableClock(clockStart ?? systemClock.now()) : systemClock;
