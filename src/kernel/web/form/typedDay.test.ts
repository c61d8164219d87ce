import { describe, expect, it } from 'vitest';
import { typedDay, typedMinute } from './typedDay.ts';

describe('a typed day', () => {
  it.each(['2026-13-40', '20261305', '2026-02-30', '2026', '明天', '2026-1', '26-01-05'])('that is none stays and is said: %s', (typed) => {
    expect(typedDay(typed)).toEqual({ fault: '没有这一天，请按 2026-01-31 的格式填写' });
  });

  it('beyond its bounds says them', () => {
    expect(typedDay('2026-01-04', { from: '2026-01-05' })).toEqual({ fault: '不能早于2026-01-05' });
    expect(typedDay('20260106', { until: '2026-01-05' })).toEqual({ fault: '不能晚于2026-01-05' });
  });

  it.each(['2026-01-05', '2026-1-5', '20260105', '2026/01/05', '2026年1月5日', ' ２０２６.１.５ '])(
    'is read as people write it: %s',
    (typed) => {
      expect(typedDay(typed)).toEqual({ value: '2026-01-05', text: '2026-01-05' });
    },
  );

  it('that is empty is nothing', () => {
    expect(typedDay(' ')).toEqual({ value: null, text: '' });
  });
});

describe('a typed minute', () => {
  it.each(['2026-13-40 09:30', '2026-01-05 25:00', '2026-01-05 09:61', '2026-01-05', '09:30'])('that is none is said: %s', (typed) => {
    expect(typedMinute(typed)).toEqual({ fault: '没有这个时间，请按 2026-01-31 09:30 的格式填写' });
  });

  it('is read in the zone of the product, up to its bound', () => {
    expect(typedMinute('2026/1/5 9:30')).toMatchObject({ text: '2026-01-05 09:30' });
    expect(typedMinute('2026-01-05 09:31', '2026-01-05T01:30:00.000Z')).toEqual({ fault: '不能晚于2026-01-05 09:30' });
    expect(typedMinute('')).toEqual({ value: null, text: '' });
  });
});
