import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ADD_DELETE_MAX_WAIT_MS, debounce, debounceAnswered, SAVE_WAIT_MS } from './debounce.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('saving waits 300 ms after the last call and takes its argument', () => {
  const save = vi.fn();
  const soon = debounce(save, SAVE_WAIT_MS);
  for (let click = 0; click < 10; click += 1) {
    soon(click);
    vi.advanceTimersByTime(299);
  }
  expect(save).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(save.mock.calls).toEqual([[9]]);
});

test('adding and deleting wait 1000 ms at most', () => {
  const add = vi.fn();
  const soon = debounce(add, SAVE_WAIT_MS, ADD_DELETE_MAX_WAIT_MS);
  for (let click = 0; click < 5; click += 1) {
    soon(click);
    vi.advanceTimersByTime(250);
  }
  expect(add.mock.calls).toEqual([[3]]);
  soon.cancel();
  vi.advanceTimersByTime(5000);
  expect(add).toHaveBeenCalledTimes(1);
});

test('what still waits is done when the page is left, once', () => {
  const save = vi.fn();
  const soon = debounce(save, SAVE_WAIT_MS);
  soon('a');
  soon.flush();
  soon.flush();
  vi.advanceTimersByTime(5000);
  expect(save.mock.calls).toEqual([['a']]);
});

test('clicks of one pause are one act with the last input, and all of them get its answer', async () => {
  const made = vi.fn(async (text: string) => `saved ${text}`);
  const save = debounceAnswered(made, SAVE_WAIT_MS);
  const first = save('a');
  vi.advanceTimersByTime(200);
  const second = save('b');
  vi.advanceTimersByTime(300);
  expect(await Promise.all([first, second])).toEqual(['saved b', 'saved b']);
  const third = save('c');
  save.flush();
  expect(await third).toBe('saved c');
  expect(made.mock.calls).toEqual([['b'], ['c']]);
});
