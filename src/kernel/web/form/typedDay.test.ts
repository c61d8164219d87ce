import { describe, expect, it } from 'vitest';
import { typedClock, typedDay, typedDays, typedMinute, typedMonth } from './typedDay.ts';

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

describe('typed days from one to another', () => {
  const open = [true, true] as const;
  it.each([
    ['2026-13-40', '2026-01-31', '没有这一天，请按 2026-01-31 的格式填写'],
    ['2026-01-01', '明天', '没有这一天，请按 2026-01-31 的格式填写'],
    ['2026-02-01', '2026-01-31', '开始日期不能晚于结束日期'],
    ['', '2026-01-31', '请填写开始和结束日期'],
    ['2026-01-01', '', '请填写开始和结束日期'],
  ])('that are none stay and are said: %s to %s', (first, last, fault) => {
    expect(typedDays(first, last, {})).toEqual({ fault });
  });

  it('are open where they may be', () => {
    expect(typedDays('20260101', '', { open })).toMatchObject({ value: ['2026-01-01', null] });
    expect(typedDays('', '2026/1/31', { open })).toMatchObject({ value: [null, '2026-01-31'] });
    expect(typedDays('', '', {})).toMatchObject({ value: [null, null] });
    expect(typedDays('2026-01-01', '2026-02-01', { until: '2026-01-31' })).toEqual({ fault: '不能晚于2026-01-31' });
  });
});

describe('a typed month', () => {
  it.each(['2026-1', '202601', '2026/01', '２０２６年１月'])('is read as people write it: %s', (typed) => {
    expect(typedMonth(typed)).toEqual({ value: '2026-01', text: '2026年1月' });
  });

  it('that is none, or beyond its bounds, is said', () => {
    for (const typed of ['202613', '2026', '一月']) expect(typedMonth(typed)).toEqual({ fault: '没有这个月份，请按 2026年1月 的格式填写' });
    expect(typedMonth('2026-03', { until: '2026-02' })).toEqual({ fault: '不能晚于2026年2月' });
    expect(typedMonth('2026-01', { from: '2026-02' })).toEqual({ fault: '不能早于2026年2月' });
  });
});

describe('a typed time of day', () => {
  it.each(['9:30', '0930', '９：３０'])('is read as people write it: %s', (typed) => {
    expect(typedClock(typed)).toEqual({ value: '09:30', text: '09:30' });
  });

  it.each(['25:00', '9:61', '930分'])('that is none is said: %s', (typed) => {
    expect(typedClock(typed)).toEqual({ fault: '没有这个时间，请按 09:30 的格式填写' });
  });
});
