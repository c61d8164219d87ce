import { callCase, type CallCase } from '#testing/cases.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import {
  auditQualApply,
  claimNextQualApply,
  claimQualApply,
  exportQualApplyList,
  heartbeatQualApply,
  queryQualApplyCounts,
  queryQualApplyDetail,
  queryQualApplyList,
  releaseQualApply,
  revealQualApply,
  saveQualApplyWork,
} from '../../contract/calls/qual.ts';
import { completeDoctorFile, registerDoctor, requestDoctorFiles, submitDoctorQualification } from '../../contract/calls/register.ts';
import {
  certsOf,
  claimed,
  facts,
  freshPerson,
  judgeAll,
  machineUploader,
  makeHospital,
  NONE,
  register,
  signed,
  submitted,
} from '../testing/qual.ts';

const page = { pageNo: 1, pageSize: 10 };
const file = { fileName: '执业证.png', size: PNG().length, contentType: 'image/png' };
/** One transparent pixel. */
function PNG(): Buffer {
  return Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');
}

/** One case per call of qualification. */
export const qualCases: readonly CallCase[] = [
  callCase(queryQualApplyList, async () => ({ ...page, queue: 'WAITING' as const })),
  callCase(queryQualApplyCounts, async () => ({})),
  callCase(queryQualApplyDetail, async (app) => ({ applyId: (await submitted(app)).applyId }), {
    foreign: async () => ({ applyId: NONE }),
  }),
  callCase(revealQualApply, async (app) => ({ applyId: (await submitted(app)).applyId }), { foreign: async () => ({ applyId: NONE }) }),
  callCase(claimQualApply, async (app) => ({ applyId: (await submitted(app)).applyId }), { foreign: async () => ({ applyId: NONE }) }),
  callCase(claimNextQualApply, async (app) => {
    await submitted(app);
    return {};
  }),
  callCase(
    heartbeatQualApply,
    async (app, as) => {
      const { applyId, leaseToken } = await claimed(app, (await submitted(app)).applyId, as!);
      return { applyId, leaseToken };
    },
    { foreign: async () => ({ applyId: NONE, leaseToken: 'x' }) },
  ),
  callCase(
    releaseQualApply,
    async (app, as) => {
      const { applyId, leaseToken } = await claimed(app, (await submitted(app)).applyId, as!);
      return { applyId, leaseToken };
    },
    { foreign: async () => ({ applyId: NONE, leaseToken: 'x' }) },
  ),
  callCase(
    saveQualApplyWork,
    async (app, as) => {
      const { applyId, leaseToken } = await claimed(app, (await submitted(app)).applyId, as!);
      return { applyId, leaseToken, checks: [{ checkCode: 'Q01' as const, humanVerdict: 'AGREE' as const, note: '' }] };
    },
    { foreign: async () => ({ applyId: NONE, leaseToken: 'x' }) },
  ),
  callCase(
    auditQualApply,
    async (app, as) => {
      const held = await claimed(app, (await submitted(app)).applyId, as!);
      await judgeAll(app, { applyId: held.applyId, leaseToken: held.leaseToken }, as!);
      return { ...held, action: 'pass' as const };
    },
    {
      as: { permissions: [may['qual.audit'].code, may['qual.view'].code] },
      foreign: async () => ({ applyId: NONE, version: 1, action: 'pass' as const }),
    },
  ),
  callCase(exportQualApplyList, async (app) => {
    const { person } = await submitted(app);
    return { mobile: person.mobile };
  }),

  callCase(
    registerDoctor,
    async (app) => {
      const { name, mobile, idNo } = freshPerson();
      return { name, mobile, idNo, hospitalId: (await makeHospital(app)).hospitalId };
    },
    { as: null },
  ),
  callCase(
    submitDoctorQualification,
    async (app) => {
      const person = freshPerson();
      const hospital = await makeHospital(app);
      const { doctorId } = await register(app, person, { hospitalId: hospital.hospitalId, departmentId: hospital.departmentId });
      return { doctorId, applyType: 'FIRST' as const, facts, certs: await certsOf(app, await machineUploader(app), person, hospital.name) };
    },
    { as: null, foreign: async () => ({ doctorId: NONE, applyType: 'FIRST' as const, certs: [] }) },
  ),
  callCase(requestDoctorFiles, async () => ({ files: [file] }), { as: null }),
  callCase(
    completeDoctorFile,
    async (app) => {
      const [target] = await signed<{ fileId: string; url: string; headers: Record<string, string> }[]>(app, requestDoctorFiles, {
        files: [file],
      });
      await app.inject({ method: 'PUT', url: target!.url, payload: PNG(), headers: { ...target!.headers, 'content-type': 'image/png' } });
      return { fileId: target!.fileId };
    },
    { as: null, foreign: async () => ({ fileId: NONE }) },
  ),
];
