import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { access } from '#kernel/contract/call.ts';
import { id, idOut } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { channelMachinePermissions as machine } from '../permissions.ts';

const gateway = declareService('ScanService', 'gateway');

/** The app hands over the proof of a scan at login, registration or ordering. */
export const bindScan = gateway.act({
  operation: 'bindScan',
  label: '绑定扫码',
  access: access.signed(machine.bindScan, 'MINI_APP'),
  log: 'SYSTEM',
  input: z
    .strictObject({
      scanToken: field('扫码凭证', z.string().check(z.maxLength(400, '扫码凭证过长'))),
      patientId: field('患者', z.optional(id)),
      patientOperatorId: field('患者账号', z.optional(id)),
      doctorId: field('医生', z.optional(id)),
    })
    .check(
      between(
        ['doctorId', 'patientId'],
        ({ doctorId, patientId }) => (patientId === undefined) !== (doctorId === undefined),
        '患者与医生须且只能填写一个',
      ),
    ),
  output: z.strictObject({
    scanId: idOut,
    codeId: idOut,
    kind: z.string(),
    channelId: idOut,
    agentId: z.nullable(idOut),
    sceneId: z.nullable(idOut),
    doctorId: z.nullable(idOut),
    itemId: z.nullable(idOut),
    target: z.unknown(),
  }),
});
