import { expect, test, vi } from 'vitest';
import { provideToasts, toast } from './toast.ts';
import { showToast, useToastList } from './toastList.ts';

test('every toast lives two seconds, however many follow', () => {
  vi.useFakeTimers();
  provideToasts(showToast);
  const shown = () => useToastList.getState().shown.map(({ content }) => content);
  const texts = Array.from({ length: 9 }, (_, n) => `第${n}条`);
  for (const text of texts) {
    toast(text);
    vi.advanceTimersByTime(100);
  }
  expect(shown()).toEqual(texts);
  vi.advanceTimersByTime(1099);
  expect(shown()).toEqual(texts);
  vi.advanceTimersByTime(1);
  expect(shown()).toEqual(texts.slice(1));
  vi.advanceTimersByTime(800);
  expect(shown()).toEqual([]);
  vi.useRealTimers();
});
