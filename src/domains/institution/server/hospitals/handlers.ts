import { machineViewer } from '#kernel/server/auth/viewer.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import { queryHospitalCounts, queryHospitalDetail, querySelectOptions, searchHospital } from '../../contract/hospitalCalls.ts';
import { addition, aliasAddition, aliasDeletion, deletion, levelChange, modification, stateChange } from './changeState.ts';
import { loadHospital } from './detail.ts';
import { hospitalCounts, hospitalList } from './list.ts';
import { hospitalOptions } from './options.ts';

export const hospitalHandlers: readonly Handler[] = [
  hospitalList.handler,
  query(queryHospitalCounts, (filter, ctx) => hospitalCounts(filter, ctx)),
  query(queryHospitalDetail, ({ hospitalId }, ctx) => loadHospital(ctx, hospitalId)),
  query(querySelectOptions, (wish, ctx) => hospitalOptions(ctx.db, wish)),
  query(searchHospital, ({ keyword, adcode }, ctx) => hospitalOptions(ctx.db, { keyword, adcode, limit: 20, seer: machineViewer(ctx) })),
  addition,
  modification,
  levelChange,
  stateChange,
  deletion,
  aliasAddition,
  aliasDeletion,
];
