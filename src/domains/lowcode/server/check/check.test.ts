import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedSamples, refusedSamples } from '../../contract/samples.ts';
import { downloadPage, downloadSet } from '#domains/files/server/pages/downloadCenter.ts';
import { billWindows } from '#domains/card/contract/pageWindows.ts';
import { shieldWindows } from '#domains/order/contract/pageWindows.ts';
import { institutionSets } from '#domains/institution/server/pages/datasets.ts';
import { drugstorePage } from '#domains/institution/server/pages/drugstores.ts';
import { hospitalPage } from '#domains/institution/server/pages/hospitals.ts';
import { skeletonOf } from '../pages/skeleton.ts';
import { checkText, errorsOf } from './check.ts';
import { isObject } from './facts.ts';

const facts = {
  datasets: new Map([downloadSet, ...institutionSets].map((one) => [one.code, one])),
  routes: new Set(['hospitalList']),
  windows: new Map([...Object.values(billWindows), ...Object.values(shieldWindows)].map((one) => [one.name, one])),
};
const errorsIn = (definition: unknown) =>
  checkText(JSON.stringify(definition), facts)
    .problems.filter(({ severity }) => severity === 'E')
    .map(({ code, pointer }) => ({ rule: code, pointer }));

/**
 * Where the pinned renderer makes a program of a text: its file, what stands there, and the sample that would reach it (none: no
 * definition does).
 */
const PROGRAMS: readonly (readonly [file: string, there: string, sample: string | null])[] = [
  ['sdk.js', 'function(){return this}()||Function("return this")()', null],
  ['sdk.js', 'i=n||c||Function("return this")()', null],
  ['sdk.js', 'Tracing', null],
  ['sdk.js', 'return Function(U,I+', '模板脚本'],
  ['sdk.js', '"return !!(").concat(', '旧式条件'],
  ['sdk.js', '/^\\s*return\\b/.test(e)', '公式项'],
  ['sdk.js', 'js:function(e,r){', '脚本地址'],
  // The build takes this one out.
  ['sdk.js', 'new Function(\'import("")\')', null],
  // The renderer's own panel for its developers, which the frame never turns on.
  ['sdk.js', 'v.callStrFunction(new Function("data"', null],
  ['sdk.js', 't.method="get",e(t).then', '脚本地址'],
  ['sdk.js', 'Function.bind.apply(Function', '请求适配脚本'],
  ['sdk.js', '"context","doAction","event"', '自定义动作'],
  ['sdk.js', 'd=a.onClick;', '点击脚本'],
  ['sdk.js', 'r=this.props.onClick', '点击脚本'],
  ['sdk.js', 'this.props.editorDidMount', '代码编辑器'],
  ['rest.js', '"value","config","props","data","moment"', '日期换算脚本'],
  ['rest.js', 'window:Function("return this")()', null],
  ['rest.js', 'new Function("event",b)', '头像出错脚本'],
  ['rest.js', '"currentDate","props"', '禁用日期脚本'],
  ['rest.js', 'y=t.onClick;', '点击脚本'],
  ['rest.js', 'this.props.matchFunc?m.', '匹配脚本'],
  ['rest.js', 'return new(Function.bind.apply(Function', '公式项'],
  ['rest.js', 'switch(typeof e){case"string":return p.', '选项过滤脚本'],
  ['rest.js', 'filterOption:"string"==typeof F', '选项过滤脚本'],
  ['rest.js', 'n=c.onClick;', '删除按钮脚本'],
  ['rest.js', 'matchFunc:"string"==typeof s', '匹配脚本'],
  ['rest.js', '(a,"key","props")', '切换脚本'],
  ['rest.js', '(n,"key","props")', '切换脚本'],
  ['rest.js', '"chart","echarts")', '图表脚本'],
  ['rest.js', 'n||"string"!=typeof s', '图表脚本'],
  ['rest.js', 'new Function("return "+e)', '图表脚本'],
  ['rest.js', '"data","setData","env"', '数据脚本'],
  ['rest.js', '"link","keyword"', '导航匹配脚本'],
];
const MAKES_PROGRAM = /new Function\b|(?<![\w.$])Function\(|\bstr2(?:Async)?[fF]unction\(|Function\.bind\.apply\(Function/g;
/** Characters around a place in which its sign stands. */
const NEAR = 130;

describe('the pinned renderer', () => {
  it('makes programs of texts at known places, and a definition that would reach one is in the corpus of refused ones', () => {
    const samples = new Set(refusedSamples.map(({ name }) => name));
    expect(PROGRAMS.filter(([, , sample]) => sample !== null && !samples.has(sample))).toEqual([]);
    const folder = path.resolve(import.meta.dirname, '../../../../../node_modules/amis/sdk');
    for (const file of ['sdk.js', 'rest.js']) {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const known = PROGRAMS.filter(([of]) => of === file);
      const found = [...text.matchAll(MAKES_PROGRAM)].map(({ index }) => {
        const around = text.slice(index - NEAR, index + NEAR);
        return known.filter(([, there]) => around.includes(there)).map(([, there]) => there)[0] ?? around;
      });
      expect(found.toSorted(), file).toEqual(known.map(([, there]) => there).toSorted());
    }
  });
});

describe('the check of definitions', () => {
  it('holds a corpus of sixty refused definitions and twenty-five accepted ones', () => {
    expect(refusedSamples.length).toBeGreaterThanOrEqual(60);
    expect(acceptedSamples.length).toBeGreaterThanOrEqual(25);
  });

  it.each(refusedSamples.map((sample) => [sample.name, sample] as const))(
    'refuses %s by its rule at its place',
    (_name, { definition, fault }) => {
      expect(errorsIn(definition)).toEqual([fault]);
    },
  );

  it.each(acceptedSamples.map((sample) => [sample.name, sample] as const))('takes %s', (_name, { definition }) => {
    expect(errorsIn(definition)).toEqual([]);
  });

  it('takes what ships with the code without a word, and what it makes of datasets', () => {
    for (const page of [downloadPage, hospitalPage, drugstorePage])
      expect(checkText(JSON.stringify(page.definition), facts).problems, page.token).toEqual([]);
    for (const dataset of facts.datasets.values())
      expect(errorsIn(skeletonOf(dataset, { title: '页', forms: true })), dataset.code).toEqual([]);
  });

  it('names line and column of what is no JSON', () => {
    expect(checkText('{\n  "type": page\n}', facts).problems).toMatchObject([{ message: '不是合法的JSON：第2行第11列' }]);
  });

  it('tells what a definition names of datasets', () => {
    expect(checkText(JSON.stringify(hospitalPage.definition), facts).manifest).toEqual([
      { datasetCode: 'institution.hospital', operations: ['action.contact', 'export', 'list'] },
    ]);
  });

  it('takes no text of a program into any place of an accepted definition where the renderer would run it', () => {
    const attacks = ['<% canary() %>', '${window:canary}', '${canary.constructor}', '<img src=x onerror=canary()>', '${x => canary}'];
    /** Puts a text in the place of the nth string. */
    const put = (value: unknown, at: { left: number }, text: string): unknown => {
      if (typeof value === 'string') return at.left-- === 0 ? text : value;
      if (Array.isArray(value)) return value.map((one: unknown) => put(one, at, text));
      return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, put(one, at, text)])) : value;
    };
    fc.assert(
      fc.property(fc.constantFrom(...acceptedSamples.slice(1)), fc.nat(30), fc.constantFrom(...attacks), (sample, place, text) => {
        const at = { left: place };
        const mutated = put(sample.definition, at, text);
        if (at.left >= 0) return true;
        return errorsOf(checkText(JSON.stringify(mutated), facts).problems) > 0;
      }),
      { numRuns: 400 },
    );
  });
});
