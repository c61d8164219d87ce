import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { flag, id, idOut, instant, several, text, version, mobileText, personName } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { groupKinds, sendPolicies, userRoles } from '../dictionaries.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { groupId, groupRow, imUserId, reason, serverStatus, workState } from './shared.ts';

const service = declareService('ImMedicalGroupService');
const gateway = declareService('ImMedicalGroupService', 'gateway');
const send = may['chat.send'];
const filters = {
  groupName: z.optional(text('会话名称', 60)),
  doctorName: z.optional(text('医生', 30)),
  suffererName: z.optional(personName('患者', 32)),
  suffererMobile: field('患者手机号', z.optional(mobileText('手机号格式不正确'))),
  kind: field('会话类型', z.optional(groupKinds.schema)),
  workState: z.optional(several(workState)),
  serverStatus: z.optional(several(serverStatus)),
  ownerAssistantId: field('责任医助', z.optional(id)),
  deskId: field('导诊台', z.optional(id)),
  tag: z.optional(text('标签', 12)),
  onlyOverSla: field('只看超时', z.optional(flag)),
  groupIds: z.optional(several(groupId, 100)),
};
export const groupOrders = ['lastMessage', 'waiting', 'sla'] as const;

/** Own groups and those of one's pool; all of them with the right to watch. */
export const queryImMedicalGroupPage = gateway.list({
  operation: 'queryImMedicalGroupPage',
  label: '查询会话',
  access: send,
  filter: { ...filters, mine: field('只看本人', z.optional(flag)), orderBy: field('排序', z.optional(z.enum(groupOrders, '排序不正确'))) },
  output: groupRow,
});
/** At most 999, newest first. Groups of guidance desks have no doctor and never appear. */
export const queryGroupIdsByDoctorInfo = gateway.read({
  operation: 'queryGroupIdsByDoctorInfo',
  label: '按医生查询会话',
  access: send,
  input: {
    doctorName: z.optional(text('医生', 30)),
    doctorOperatorId: field('医生', z.optional(id)),
    hospitalName: z.optional(text('医院', 60)),
  },
  output: z.strictObject({ groupIds: z.array(z.string()) }),
});
const memberRow = z.strictObject({
  imUserId: z.string(),
  userRole: userRoles.schema,
  nick: z.string(),
  avatar: z.nullable(z.string()),
  owner: z.boolean(),
  helper: z.boolean(),
  muteUntil: z.nullable(z.string()),
  joinTime: z.string(),
});
const members = z.strictObject({ groupId: z.string(), version: z.int(), members: z.array(memberRow) });

export const addGroupAssistant = service.act({
  operation: 'addGroupAssistant',
  label: '邀请协助',
  access: send,
  message: '已邀请',
  input: { groupId, assistantId: field('医助', id) },
  output: members,
});
export const delGroupMember = service.act({
  operation: 'delGroupMember',
  label: '移出会话',
  access: send,
  input: { groupId, imUserId },
  output: members,
});
const changed = z.strictObject({ groupId: z.string(), version: z.int() });
export const modifyGroupTags = service.act({
  operation: 'modifyGroupTags',
  label: '修改会话标签',
  access: send,
  input: { groupId, version, tags: field('标签', z.array(text('标签', 12, 1)).check(z.maxLength(8, '最多8个标签'))) },
  output: changed,
});
export const modifyGroupPriority = service.act({
  operation: 'modifyGroupPriority',
  label: '修改优先级',
  access: send,
  input: {
    groupId,
    version,
    priority: field('优先级', z.int('请选择优先级').check(z.minimum(0, '优先级不正确'), z.maximum(2, '优先级不正确'))),
  },
  output: changed,
});
export const modifySendPolicy = service.act({
  operation: 'modifySendPolicy',
  label: '修改患者发言规则',
  access: may['chat.supervise'],
  input: { groupId, version, sendPolicy: field('发言规则', z.enum(sendPolicies.codes, '请选择发言规则')), reason: reason('原因') },
  output: changed,
});
/** `until` null lifts the mute. */
export const muteMember = service.act({
  operation: 'muteMember',
  label: '限制发言',
  access: send,
  input: { groupId, imUserId, until: field('截止时间', z.nullable(instant)), reason: reason('原因') },
  output: members,
});
/** A personal mark shown as a dot; the read cursor stays. */
export const markGroupUnread = service.act({
  operation: 'markGroupUnread',
  label: '标为未读',
  access: send,
  input: { groupId, unread: field('是否未读', z.boolean()) },
  output: z.strictObject({ groupId: z.string(), unread: z.boolean() }),
});
/** Live groups and inquiries of one patient account, for the menu of a single chat and the patient's record. */
export const queryGroupsOfPatient = service.read({
  operation: 'queryGroupsOfPatient',
  label: '查询患者的会话',
  access: access.session,
  input: { patientId: field('患者', id) },
  output: z.array(
    z.strictObject({
      groupId: z.string(),
      groupName: z.string(),
      kind: groupKinds.schema,
      serverId: z.nullable(idOut),
      inquiryNo: z.nullable(z.string()),
      serverStatus: z.nullable(serverStatus),
      startSeq: z.nullable(z.string()),
      lastMessageAt: z.nullable(z.string()),
      canOpen: z.boolean(),
    }),
  ),
});
const followUpKinds = ['REVISIT', 'SERVICE', 'MESSAGE'] as const;
/**
 * What follows on a patient's inquiries: agreed revisits, follow-up services, messages of the follow-up engine; newest first, at most 50.
 */
export const queryFollowUps = service.read({
  operation: 'queryFollowUps',
  label: '查询患者随访',
  access: access.session,
  input: { patientId: field('患者', id) },
  output: z.array(
    z.strictObject({
      kind: z.enum(followUpKinds),
      at: z.string(),
      title: z.string(),
      state: z.string(),
      doctorName: z.string(),
      serverId: z.nullable(idOut),
      inquiryNo: z.nullable(z.string()),
      groupId: z.string(),
      seq: z.nullable(z.int()),
      canOpen: z.boolean(),
    }),
  ),
});
/** A saved view holds the search form's fields and no more. */
const VIEW_LETTERS = 4_000;
const view = z.strictObject({ id: idOut, name: z.string(), filters: z.record(z.string(), z.unknown()) });
export const querySavedViews = service.read({
  operation: 'querySavedViews',
  label: '查询常用视图',
  access: send,
  input: {},
  output: z.array(view),
});
export const saveView = service.act({
  operation: 'saveView',
  label: '保存常用视图',
  access: send,
  input: {
    name: text('视图名称', 12, 1),
    filters: field(
      '筛选条件',
      z
        .record(z.string().check(z.maxLength(40, '筛选条件不正确')), z.unknown())
        .check(z.refine((filters) => JSON.stringify(filters).length <= VIEW_LETTERS, '筛选条件过多，请减少后再保存')),
    ),
  },
  output: view,
});
export const delView = service.act({
  operation: 'delView',
  label: '删除常用视图',
  access: send,
  input: { id },
  output: z.strictObject({ id: idOut }),
});
