import * as z from 'zod/mini';
import { access, call } from '../../../../kernel/contract/call.ts';
import { field } from '../../../../kernel/contract/field.ts';
import { id, idOut, instant, instantOut, text } from '../../../../kernel/contract/fields.ts';
import { pageCodes } from '../floors/clientPages.ts';
import { leftOutReasons } from '../floors/dictionaries.ts';
import { floorPermissions as may } from '../floors/permissions.ts';
import { floorChange, floorContent } from '../floors/shape.ts';
import { markPermissions } from '../marks/permissions.ts';
import { releaseStates } from './states.ts';

const service = 'FloorService';
const host = 'admin';
const view = access.permission(markPermissions['content.view']);
const pageCode = field('页面', z.enum(pageCodes.codes, '请选择页面'));
const state = releaseStates.dictionary.schema;

/** The newest hundred releases of a page. */
export const queryPageReleaseList = call({
  host,
  service,
  operation: 'queryPageReleaseList',
  kind: 'query',
  shape: 'data',
  label: '查询页面发布记录',
  access: view,
  input: z.strictObject({ pageCode }),
  output: z.array(
    z.strictObject({
      id: idOut,
      seq: z.int(),
      state,
      floors: z.int(),
      contentHash: z.string(),
      effectiveAt: z.nullable(instantOut),
      submittedAt: instantOut,
      submittedByName: z.nullable(z.string()),
      auditedAt: z.nullable(instantOut),
      auditedByName: z.nullable(z.string()),
      opinion: z.nullable(z.string()),
      /** Whether the viewer submitted it, and so may not audit it. */
      mine: z.boolean(),
    }),
  ),
});

export const queryPageReleaseDiff = call({
  host,
  service,
  operation: 'queryPageReleaseDiff',
  kind: 'query',
  shape: 'data',
  label: '比较页面版本',
  access: view,
  input: z.strictObject({ pageCode, from: field('版本', id), to: field('对比版本', id) }),
  output: z.array(floorChange),
});

/** `submit` makes a release of the draft; the other actions name one. */
export const auditPage = call({
  host,
  service,
  operation: 'auditPage',
  kind: 'command',
  shape: 'data',
  label: '审核页面',
  access: access.byAction(
    'action',
    {
      submit: may['page.edit'],
      approve: may['page.audit'],
      reject: may['page.audit'],
      cancel: may['page.audit'],
      rollback: may['page.audit'],
    },
    may['page.audit'],
  ),
  input: z
    .strictObject({
      pageCode,
      action: field('操作', z.enum(['submit', 'approve', 'reject', 'cancel', 'rollback'])),
      releaseId: field('版本', z.optional(id)),
      effectiveAt: field('生效时间', z._default(z.nullable(instant), null)),
      opinion: z.optional(text('意见', 500)),
    })
    .check(
      z.refine(({ action, releaseId }) => (action === 'submit') === (releaseId === undefined), {
        path: ['releaseId'],
        message: '请选择版本',
      }),
    ),
  output: z.strictObject({ id: idOut, seq: z.int(), state }),
});

const reason = z.nullable(leftOutReasons.schema);

/** The page as somebody sees it at a time, and for each thing that is left out the reason; writes nothing. */
export const previewPage = call({
  host,
  service,
  operation: 'previewPage',
  kind: 'query',
  shape: 'data',
  label: '预览页面',
  access: view,
  input: z.strictObject({
    pageCode,
    source: field('来源', z._default(z.union([z.enum(['DRAFT', 'LIVE']), id]), 'DRAFT')),
    at: field('时间', z.optional(instant)),
  }),
  output: z.array(
    z.extend(floorContent, {
      items: z.array(z.extend(floorContent.shape.items.def.element, { reason, objectName: z.nullable(z.string()) })),
      reason,
    }),
  ),
});
