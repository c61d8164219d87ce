import { describe, expect, it } from 'vitest';
import type { DiseaseRow } from '../../contract/diseaseCalls.ts';
import type { SceneRow } from '../../contract/sceneCalls.ts';
import { menuNodes, neighbour, parentKey } from './tree.ts';

const disease = (id: string, diseaseName: string): DiseaseRow => ({
  id,
  diseaseId: id,
  diseaseCode: `C${id}`,
  diseaseName,
  icd10Prefixes: ['E11'],
  available: 1,
  sortNo: 1,
  version: 1,
  sceneCount: 0,
  runningCount: 0,
});
const common = {
  chatFlag: 2,
  groupChat: true,
  singleChat: true,
  corpusInfoLogo: '',
  state: 'UNPUBLISHED',
  version: 1,
  updatedAt: '',
} as const;
const scene = (id: string, sceneName: string, children: [string, string][] = []): SceneRow => ({
  ...common,
  id,
  sceneId: id,
  sceneName,
  diseaseId: '1',
  scenePackageId: `p${id}`,
  dataDetail: children.map(([childId, childSceneName]) => ({
    ...common,
    id: childId,
    childSceneId: childId,
    childSceneName,
    mainSceneId: id,
    scenePackageId: `p${childId}`,
  })),
});

const state = {
  diseases: [disease('1', '糖尿病'), disease('2', '高血压')],
  openDisease: '1',
  scenes: [scene('10', '复购提醒', [['11', '断药']]), scene('12', '血糖管理')],
  folded: new Set<string>(),
  search: '',
};
const keys = (change: Partial<typeof state> = {}) => menuNodes({ ...state, ...change }).map((node) => node.key);

describe('the lines of the menu', () => {
  it.each([
    [{}, ['d1', 's10', 's11', 's12', 'd2']],
    [{ folded: new Set(['10']) }, ['d1', 's10', 's12', 'd2']],
    [{ openDisease: '2', scenes: [] }, ['d1', 'd2']],
    [{ search: '断药', folded: new Set(['10']) }, ['d1', 's10', 's11']],
    [{ search: '复购' }, ['d1', 's10', 's11']],
    [{ search: '糖' }, ['d1', 's10', 's11', 's12']],
    [{ search: 'c2' }, ['d2']],
    [{ search: '没有' }, []],
  ])('%o', (change, expected) => expect(keys(change)).toEqual(expected));
});

it('arrow keys walk the lines; the parent of a child is its main scene, of a scene its disease', () => {
  const nodes = menuNodes(state);
  expect([neighbour(nodes, null, 1), neighbour(nodes, 'd1', 1), neighbour(nodes, 's10', -1), neighbour(nodes, 'd2', 1)]).toEqual([
    'd1',
    's10',
    'd1',
    null,
  ]);
  expect([parentKey(nodes, 's11'), parentKey(nodes, 's12'), parentKey(nodes, 'd1')]).toEqual(['s10', 'd1', null]);
});
