import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { materialVerdicts, type MaterialVerdict } from '../../contract/evidence.ts';
import { evidenceKeys, type MaterialVerdicts } from './evidence.ts';
import { EvidenceViewer } from './EvidenceViewer.tsx';

const owner = { ownerType: 'probe.case', ownerId: '1' };
const items = [
  { id: 'a', label: '诊断证明', fileIds: ['11', '12'], former: { ...owner, label: '原材料', fileIds: ['9'] }, ...owner },
  { id: 'b', label: '病理报告', fileIds: [], ...owner },
];
let judged: string[] = [];
const verdicts = (more: Partial<MaterialVerdicts<MaterialVerdict>> = {}): MaterialVerdicts<MaterialVerdict> => ({
  of: materialVerdicts,
  keys: { OK: 'Q', UNCLEAR: 'W', WRONG: 'X', FAKE: 'Z' },
  given: { a: 'OK', b: null },
  judge: (id, verdict) => void judged.push(`${id}:${verdict}`),
  ...more,
});
const drawn = (at: number, more: Partial<Parameters<typeof EvidenceViewer<MaterialVerdict>>[0]> = {}) =>
  renderToStaticMarkup(<EvidenceViewer<MaterialVerdict> caseId="1" name="材料" items={items} at={at} onChoose={() => {}} {...more} />);

describe('the viewer of materials', () => {
  it('shows which is chosen, its pictures, and that there is nothing to compare or to see', () => {
    expect(drawn(0)).toMatch(/aria-selected="true"[^>]*><kbd>1<\/kbd> 诊断证明/);
    expect(drawn(0)).toContain('1/2');
    expect(drawn(0)).toContain('与原材料对比（C）');
    expect(drawn(1)).toContain('没有图片');
    expect(drawn(0, { items: [] })).toContain('还没有提交材料');
  });

  it('shows the verdict of each material, and asks for it only where one may judge', () => {
    const html = drawn(0, { verdicts: verdicts() });
    expect(html).toContain('data-tone="success" title="合格"');
    expect(html.match(/data-tone/g)).toHaveLength(1);
    expect(html).toContain('aria-label="诊断证明审核结论"');
    const { judge: _judge, ...shownAlone } = verdicts();
    expect(drawn(0, { verdicts: shownAlone })).not.toContain('审核结论');
  });

  it('shows what was read beside the picture', () => {
    expect(drawn(0, { values: ({ label }) => <b>{label}编号</b> })).toContain('<b>诊断证明编号</b>');
  });

  it('is worked by keys, the verdict of what is shown among them', () => {
    const acts: string[] = [];
    const log = (name: string) => () => void acts.push(name);
    const keys = evidenceKeys(
      { name: '材料', items, at: 1, aside: { ...items[0]!, id: 'face', keys: 'H', label: '头像' }, verdicts: verdicts() },
      {
        choose: (index) => void acts.push(`choose ${index}`),
        showAside: log('aside'),
        larger: log('larger'),
        smaller: log('smaller'),
        whole: log('whole'),
        rotate: log('rotate'),
        compare: log('compare'),
        step: (by) => void acts.push(`step ${by}`),
      },
    );
    judged = [];
    for (const { act } of keys) act();
    expect(keys.map((one) => one.keys)).toEqual([
      '1',
      '2',
      'H',
      '+',
      '=',
      '-',
      '0',
      'T',
      'C',
      'ArrowRight',
      'ArrowLeft',
      'Q',
      'W',
      'X',
      'Z',
    ]);
    expect(acts.join(' ')).toBe('choose 0 choose 1 aside larger larger smaller whole rotate compare step 1 step -1');
    expect(judged).toEqual(['b:OK', 'b:UNCLEAR', 'b:WRONG', 'b:FAKE']);
  });
});
