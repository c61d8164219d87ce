import { send } from '#kernel/web/http/client.ts';
import { queryDoctorInfoByOperatorId } from '#domains/doctor/contract/calls/doctors.ts';
import { queryInquiryDetail, queryInquiryIdByGroupId } from '../../../contract/calls/inquiry.ts';
import { previewGroup } from '../../../contract/calls/queue.ts';
import type { PanelPorts } from './choose.ts';

const quiet = { quiet: true } as const;

/** The panel's own calls, with the payloads of the specification. */
export const panelPorts: PanelPorts = {
  doctor: (operatorId) => send(queryDoctorInfoByOperatorId, { operatorId }, quiet),
  inquiry: (groupId) => send(queryInquiryDetail, { groupId }, quiet),
  inquiryId: (groupId) => send(queryInquiryIdByGroupId, { groupId }, quiet),
  preview: (groupId) => send(previewGroup, { groupId }, quiet),
};
