import { send } from '../../../../../kernel/web/http/client.ts';
import { queryDoctorInfoByOperatorId } from '../../../../doctor/contract/doctorCalls.ts';
import { HISTORY_ORDER, modules, type ModuleCode } from '../../../../patient/contract/modules.ts';
import { findEhrMedicineSuggested, queryHistoryDiagnosis, querySuffererBaseInfoByUserId } from '../../../../patient/contract/calls/panel.ts';
import { queryInquiryDetail, queryInquiryIdByGroupId } from '../../../contract/calls/inquiry.ts';
import { previewGroup } from '../../../contract/calls/queue.ts';
import type { PanelPorts } from './choose.ts';

const quiet = { quiet: true } as const;
/** Rows of a list of the panel; fewer than these mean that there are no more. */
export const PANEL_PAGE = 10;

export const modulePage = (moduleCode: ModuleCode, suffererOperatorId: string, pageNo: number) =>
  send(
    findEhrMedicineSuggested,
    { pageNo, pageSize: PANEL_PAGE, orderBy: modules[moduleCode].orderBy, moduleCode, paragraphCode: '', associatedId: suffererOperatorId, pageCode: 'IM_PANEL', preciseKeyValue: { status: '' } },
    quiet,
  );

/** The panel's calls, with the payloads of the specification. */
export const panelPorts: PanelPorts = {
  doctor: (operatorId) => send(queryDoctorInfoByOperatorId, { operatorId }, quiet),
  history: (suffererOperatorId) => send(queryHistoryDiagnosis, { suffererOperatorId, orderBy: HISTORY_ORDER }, quiet),
  inquiry: (groupId) => send(queryInquiryDetail, { groupId }, quiet),
  inquiryId: (groupId) => send(queryInquiryIdByGroupId, { groupId }, quiet),
  base: (userId) => send(querySuffererBaseInfoByUserId, { userId }, quiet),
  module: async (code, suffererOperatorId) => (await modulePage(code, suffererOperatorId, 1)).rows,
  preview: (groupId) => send(previewGroup, { groupId }, quiet),
};
