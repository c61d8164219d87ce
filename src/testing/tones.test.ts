import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Tone } from '#kernel/contract/dictionary.ts';

// One colour for what a state means, on every page: what waits for somebody is amber, what goes on by itself blue, what holds green, what
// is over grey, and red is what has gone wrong.

const MEANINGS: Readonly<Record<Tone, readonly string[]>> = {
  warning: [
    '待支付',
    '待审核',
    '待审批',
    '待复核',
    '待处理',
    '待确认',
    '待接诊',
    '待医生确认',
    '待激活',
    '待提交',
    '已冻结',
    '已暂停',
    '已到期',
    '提醒',
    '挂起',
  ],
  processing: ['待生效', '待发送', '未开始', '退款中', '交接中', '公共', '已上传'],
  success: ['正常', '生效中', '已处理'],
  default: [
    '草稿',
    '停用',
    '停售',
    '一般',
    '提示',
    '已作废',
    '已停用',
    '已下架',
    '已下线',
    '已撤回',
    '已撤销',
    '已结束',
    '已注销',
    '已归档',
    '已合并',
    '已冲正',
    '已退款',
    '已失效',
  ],
  error: ['严重', '有差异', '已拒绝', '已驳回'],
};
/** Two meanings under one word. */
const TWICE: Readonly<Record<string, string>> = {
  已锁定: 'an account or a ticket that is locked is a fault; a month that is locked is settled',
  已过期: 'a licence or certificate that has run out is a fault; a file, a key or a card that has is over',
};

/** Words for what a job is about: pages that show it ask again until it is done. */
const JOBS = /^(制卡|生成|排队|校验|提交|回放|检查|同步|创建|执行|发送|发放|撤销|导入|导出)中$/;

const shown = z.object({
  name: z.string(),
  isJob: z.custom<(code: string) => boolean>((given) => typeof given === 'function'),
  options: z.array(
    z.object({ value: z.string(), label: z.string(), tone: z.enum(['default', 'success', 'processing', 'warning', 'error']) }),
  ),
});

it('shows a state in one colour, whatever page it stands on', async () => {
  const root = path.join(import.meta.dirname, '../..');
  const files = globSync('src/{domains/*,kernel}/contract/**/*.ts', { cwd: root }).filter((file) => !file.includes('.test.'));
  const tones = new Map<string, Map<Tone, Set<string>>>();
  const silent: string[] = [];
  let jobs = 0;
  for (const file of files) {
    const declared = (await import(path.join(root, file))) as Readonly<Record<string, unknown>>;
    for (const value of Object.values(declared)) {
      const inner = typeof value === 'object' && value !== null && 'dictionary' in value ? value.dictionary : value;
      const read = z.safeParse(shown, inner);
      // Words of a list that has no colours at all mean no state.
      if (!read.success || read.data.options.every(({ tone }) => tone === 'default')) continue;
      for (const { label, tone, value: code } of read.data.options) {
        if (JOBS.test(label)) {
          jobs += 1;
          if (!read.data.isJob(code)) silent.push(`${read.data.name} ${code} ${label}`);
        }
        const of = tones.get(label) ?? new Map<Tone, Set<string>>();
        tones.set(label, of.set(tone, (of.get(tone) ?? new Set()).add(read.data.name)));
      }
    }
  }
  expect(tones.size).toBeGreaterThan(300);
  const law = new Map(Object.entries(MEANINGS).flatMap(([tone, labels]) => labels.map((label) => [label, tone])));
  const faults = [...tones].flatMap(([label, of]) => {
    const meant = law.get(label);
    const wrong = [...of].filter(([tone]) => meant !== undefined && tone !== meant);
    const many = meant === undefined && of.size > 1 && !(label in TWICE);
    return wrong.length > 0 || many ? [`${label}: ${[...of].map(([tone, names]) => `${tone} (${[...names].join(', ')})`).join(', ')}`] : [];
  });
  expect(faults).toEqual([]);
  expect(silent).toEqual([]);
  expect(jobs).toBeGreaterThan(15);
});
