import * as z from 'zod/mini';
import { idOut, text } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { definitionText, manifest, problem } from '../definition.ts';
import { lowcodePermissions as may } from '../permissions.ts';
import { datasetFacts } from './data.ts';
import { pageId, rowVersion, versionId, versionRow } from './pages.ts';

const service = declareService('LowcodePageService');
const view = may['page.view'];
const edit = may['page.edit'];

const checked = { problems: z.array(problem), manifest };

export const queryPageVersion = service.read({
  operation: 'queryPageVersion',
  label: '查询页面版本',
  access: view,
  input: { versionId },
  output: z.strictObject({ ...versionRow.shape, pageId: idOut, token: z.string(), definition: z.string(), ...checked }),
});

/** Errors do not keep a draft from being saved. */
export const saveDraft = service.act({
  operation: 'saveDraft',
  label: '保存页面草稿',
  access: edit,
  message: '修改成功!',
  input: { pageId, rowVersion, definition: definitionText },
  output: z.strictObject({ versionId: idOut, rowVersion: rowVersion, ...checked }),
});

export const checkDefinition = service.read({
  operation: 'checkDefinition',
  label: '校验页面定义',
  access: edit,
  ratePerMinute: 600,
  input: {
    definition: definitionText,
    /** Shows it with the rights of that role. */
    role: z.optional(text('角色', 60)),
  },
  output: z.strictObject({
    ...checked,
    datasets: z.array(datasetFacts),
    /** Without the blocks that the role may not use; null where it is no definition. */
    shown: z.unknown(),
  }),
});

/** One place where two definitions differ. */
const definitionChange = z.strictObject({
  op: z.enum(['add', 'remove', 'replace']),
  pointer: z.string(),
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
});

export const compareVersion = service.read({
  operation: 'compareVersion',
  label: '比较页面版本',
  access: view,
  input: { versionIdA: versionId, versionIdB: versionId },
  output: z.strictObject({
    changes: z.array(definitionChange),
    /** More places differ than are listed. */
    more: z.boolean(),
    operations: z.array(
      z.strictObject({ datasetCode: z.string(), operation: z.string(), label: z.string(), added: z.boolean(), writes: z.boolean() }),
    ),
  }),
});
