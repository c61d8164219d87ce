import { afterAll, expect, vi } from 'vitest';

// One process runs many files of tests, and what one changes beyond its own end the next would meet.

/** What a test may be tempted to replace. */
const handlesNow = () => ({
  environment: { ...process.env },
  // Names with underscores are what libraries keep for themselves.
  globals: Object.getOwnPropertyNames(globalThis)
    .filter((name) => !name.startsWith('__'))
    .toSorted(),
  fakeTimers: vi.isFakeTimers(),
});
const functions = () => [fetch, setTimeout, Date, Date.now, performance.now, Math.random, crypto.randomUUID, process.stdout.write];

// Set-up files are read before the file itself, whose imports may already change something.
const before = handlesNow();
const functionsBefore = functions();

afterAll(() => {
  expect(handlesNow(), 'the file leaves the process as it found it').toEqual(before);
  expect(
    functions().filter((one, at) => one !== functionsBefore[at]),
    'functions that are still replaced',
  ).toEqual([]);
});
