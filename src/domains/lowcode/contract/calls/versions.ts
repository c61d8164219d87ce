import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { idOut, text } from '#kernel/contract/fields.ts';
import { definitionText, manifest, problem } from '../definition.ts';
import { lowcodePermissions as may } from '../permissions.ts';
import { datasetFacts } from './data.ts';
import { pageId, rowVersion, versionId, versionRow } from './pages.ts';

const host = 'admin';
const service = 'LowcodePageService';
const view = access.permission(may['page.view']);
const edit = access.permission(may['page.edit']);

const checked = { problems: z.array(problem), manifest };

export const queryPageVersion = call({
  host,
  service,
  operation: 'queryPageVersion',
  shape: 'data',
  kind: 'query',
  label: '查询页面版本',
  access: view,
  input: z.strictObject({ versionId }),
  output: z.strictObject({ ...versionRow.shape, pageId: idOut, token: z.string(), definition: z.string(), ...checked }),
});

/** Errors do not keep a draft from being saved. */
export const saveDraft = call({
  host,
  service,
  operation: 'saveDraft',
  shape: 'data',
  kind: 'command',
  label: '保存页面草稿',
  message: '修改成功!',
  access: edit,
  input: z.strictObject({ pageId, rowVersion, definition: definitionText }),
  output: z.strictObject({ versionId: idOut, rowVersion: rowVersion, ...checked }),
});

export const checkDefinition = call({
  host,
  service,
  operation: 'checkDefinition',
  shape: 'data',
  kind: 'query',
  label: '校验页面定义',
  access: edit,
  ratePerMinute: 600,
  input: z.strictObject({
    definition: definitionText,
    /** Shows it with the rights of that role. */
    role: z.optional(text('角色', 60)),
  }),
  output: z.strictObject({
    ...checked,
    datasets: z.array(datasetFacts),
    /** Without the blocks that the role may not use; null where it is no definition. */
    shown: z.unknown(),
  }),
});

/** One place where two definitions differ. */
export const definitionChange = z.strictObject({
  op: z.enum(['add', 'remove', 'replace']),
  pointer: z.string(),
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
});

export const compareVersion = call({
  host,
  service,
  operation: 'compareVersion',
  shape: 'data',
  kind: 'query',
  label: '比较页面版本',
  access: view,
  input: z.strictObject({ versionIdA: versionId, versionIdB: versionId }),
  output: z.strictObject({
    changes: z.array(definitionChange),
    /** More places differ than are listed. */
    more: z.boolean(),
    operations: z.array(
      z.strictObject({ datasetCode: z.string(), operation: z.string(), label: z.string(), added: z.boolean(), writes: z.boolean() }),
    ),
  }),
});
