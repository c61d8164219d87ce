import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { access } from '#kernel/contract/call.ts';
import { field } from '#kernel/contract/field.ts';
import { flag, id, idOut, instant, instantOut, text } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { deliveryKinds, deliveryReasons } from '../delivery/dictionaries.ts';
import { positionCodes } from '../delivery/positions.ts';
import { pageCodes } from '../floors/clientPages.ts';
import { leftOutReasons } from '../floors/dictionaries.ts';
import { floorPermissions as may } from '../floors/permissions.ts';
import { floorChange, floorContent } from '../floors/shape.ts';
import { markPermissions } from '../marks/permissions.ts';
import { releaseStates } from './states.ts';

const service = declareService('FloorService');
const view = markPermissions['content.view'];
const pageCode = field('页面', z.enum(pageCodes.codes, '请选择页面'));
const state = releaseStates.dictionary.schema;

/** The newest hundred releases of a page. */
export const queryPageReleaseList = service.read({
  operation: 'queryPageReleaseList',
  label: '查询页面发布记录',
  access: view,
  input: { pageCode },
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

export const queryPageReleaseDiff = service.read({
  operation: 'queryPageReleaseDiff',
  label: '比较页面版本',
  access: view,
  input: { pageCode, from: field('版本', id), to: field('对比版本', id) },
  output: z.array(floorChange),
});

/** `submit` makes a release of the draft; the other actions name one. */
export const auditPage = service.act({
  operation: 'auditPage',
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
    .check(between(['action', 'releaseId'], ({ action, releaseId }) => (action === 'submit') === (releaseId === undefined), '请选择版本')),
  output: z.strictObject({ id: idOut, seq: z.int(), state }),
});

const reason = z.nullable(leftOutReasons.schema);
const placeItem = z.strictObject({
  id: idOut,
  no: z.string(),
  name: z.string(),
  kind: deliveryKinds.schema,
  imageUrl: z.nullable(z.string()),
  reason: z.nullable(deliveryReasons.schema),
  /** Which condition of the audience does not hold. */
  detail: z.nullable(z.string()),
});

/** The page as somebody sees it at a time, and for each thing that is left out the reason; writes nothing. */
export const previewPage = service.read({
  operation: 'previewPage',
  label: '预览页面',
  access: view,
  input: {
    pageCode,
    source: field('来源', z._default(z.union([z.enum(['DRAFT', 'LIVE']), id]), 'DRAFT')),
    at: field('时间', z.optional(instant)),
    as: field(
      '预览身份',
      z.optional(
        z.strictObject({
          /** A person of the page's client by his number; absent: somebody of whom only this is known. */
          personNo: z.optional(text('用户编号', 40)),
          adcode: field('地区', z.optional(z.string().check(z.regex(/^\d{6}$/, '地区不正确')))),
          markIds: field('标签', z._default(z.array(id).check(z.maxLength(20, '标签最多20个')), [])),
          realName: field('已实名', z._default(flag, false)),
          loggedIn: field('已登录', z._default(flag, false)),
        }),
      ),
    ),
  },
  output: z.strictObject({
    floors: z.array(
      z.extend(floorContent, {
        items: z.array(
          z.extend(floorContent.shape.items.def.element, { reason, objectName: z.nullable(z.string()), imageUrl: z.nullable(z.string()) }),
        ),
        reason,
        detail: z.nullable(z.string()),
        positionCode: z.nullable(positionCodes.schema),
      }),
    ),
    positions: z.array(z.strictObject({ positionCode: positionCodes.schema, items: z.array(placeItem) })),
    /** As whom it is seen; null: as nobody in particular. */
    personName: z.nullable(z.string()),
  }),
});
export type PagePreview = z.output<typeof previewPage.output>;
