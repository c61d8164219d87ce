import { describe, expect, it } from 'vitest';
import { hospitalSet } from '#domains/institution/server/pages/datasets.ts';
import type { Dataset } from '#kernel/server/datasets/dataset.ts';
import { makeRegistry } from '#kernel/server/registry.ts';
import { datasetFault } from '#kernel/server/datasets/checkDatasets.ts';
import { dataset } from '#kernel/server/datasets/declare.ts';
import { queryHospitalList } from '#domains/institution/contract/hospitalCalls.ts';
import { filtersOf } from './ask.ts';
import { presentStat } from './present.ts';

const spec = {
  code: 'institution.probe',
  label: '医院',
  targetType: 'institution.hospital',
  list: queryHospitalList,
  key: 'id',
  routeKeys: [],
  columns: ['hospitalNo', 'name'],
  filters: [{ key: 'keyword', required: true }, 'level'],
} as const;

describe('what a page asks of a dataset', () => {
  const set = dataset(spec);

  it('is refused without a filter that must be there, and with one that is none', () => {
    expect(() => filtersOf(set, { level: ['L3A'] })).toThrow('请先填写筛选条件：关键字');
    expect(() => filtersOf(set, { keyword: '', nokey: 1 })).toThrow('筛选条件不支持：nokey');
    expect(filtersOf(set, { keyword: '协和', level: 'L3A,L2A' })).toEqual({ keyword: '协和', level: ['L3A', 'L2A'] });
  });
});

describe('what a page shows', () => {
  it('has words beside its values', () => {
    const fields = [
      { key: 'paid', label: '金额', type: 'moneyFen' },
      { key: 'share', label: '占比', type: 'bp' },
      { key: 'on', label: '启用', type: 'bool' },
      { key: 'day', label: '日期', type: 'date' },
    ] as const;
    expect(presentStat(fields, { paid: 12_345, share: 1_250, on: true, day: '2026-11-21' })).toMatchObject({
      paid: 12_345,
      paidText: '123.45',
      shareText: '12.50%',
      onText: '是',
      dayText: '2026-11-21',
    });
    expect(presentStat(fields, { paid: 1_234_567, share: null, on: false, day: null })).toMatchObject({
      paidText: '12,345.67',
      onText: '否',
    });
  });
});

describe('a declaration', () => {
  const calls = new Set([hospitalSet.list.name]);
  const faultOf = (more: Partial<Dataset>) => datasetFault({ ...dataset({ ...spec, filters: ['keyword'] }), ...more }, calls);

  it('stops the start where two have one code', () => {
    const owner = (domain: string) => ({ domain, permissions: [], routes: [], errors: {}, handlers: [], datasets: [set] });
    const set = dataset({ ...spec, filters: ['keyword'] });
    expect(() => makeRegistry([owner('institution'), owner('pharma')])).toThrow('dataset institution.probe is registered twice');
  });

  it('stops the start by its name where it is wrong', () => {
    expect(faultOf({})).toBeNull();
    expect(datasetFault(dataset({ ...spec, filters: ['keyword'] }), new Set())).toBe(
      `it is bound to ${queryHospitalList.name}, which nobody implements`,
    );
    const [contact] = hospitalSet.actions;
    expect(faultOf({ actions: [contact!, contact!] })).toMatch(/implements|declared twice/);
    expect(faultOf({ keyField: 'nokey' })).toBe('the list answers no nokey');
    expect(faultOf({ code: 'Not.A.Code' })).toBe('its code must be one or two words of letters and digits');
    expect(() => dataset({ ...spec, sorts: ['region'] })).toThrow('dataset institution.probe: the list does not sort by region');
  });
});
