import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { renderPdf } from './pdf.ts';

/** Texts of all pages, as a reader would find them. */
async function textsOf(pdf: Buffer): Promise<string[]> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const document = await getDocument({ data: new Uint8Array(pdf) }).promise;
  const pages = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(''));
  }
  return pages;
}

it('writes Chinese text that can be found again, tables over pages with head and watermark on each', async () => {
  const rows = Array.from({ length: 120 }, (_, index) => [`第${index + 1}行`, '奥希替尼片 80mg', '每日一次，餐前服用，'.repeat(4)]);
  const pdf = renderPdf({
    title: '患者档案',
    watermark: '王经理 2026-11-21',
    footer: '内部资料',
    blocks: [
      { kind: 'title', text: '患者档案', note: 'PT00000001' },
      { kind: 'fields', fields: [['姓名', '张建国']] },
      { kind: 'heading', text: '用药建议' },
      {
        kind: 'table',
        columns: [
          { label: '序号', width: 1 },
          { label: '药品', width: 2 },
          { label: '用法', width: 4 },
        ],
        rows,
      },
    ],
  });
  const pages = await textsOf(pdf);
  expect(pages.length).toBeGreaterThan(3);
  expect(pages[0]).toContain('张建国');
  for (const page of pages) {
    expect(page).toContain('王经理');
    expect(page).toContain('药品');
  }
  expect(pages.join('')).toContain('第12');
  expect(pdf.length).toBeLessThan(1_000_000);
});

it('reads no memory that it has given back: the GNU allocator returns every larger piece at once here', () => {
  const write = `
    import { renderPdf } from ${JSON.stringify(new URL('pdf.ts', import.meta.url).href)};
    const pdf = renderPdf({ title: '处方', watermark: '康桥', footer: '康桥', blocks: [{ kind: 'text', text: '阿司匹林肠溶片' }] });
    console.log(pdf.subarray(0, 5).toString());`;
  // A process that reads freed memory ends by SIGSEGV, which throws here.
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', write], {
    env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '65536' },
    encoding: 'utf8',
  });
  expect(output).toBe('%PDF-\n');
});
