import type { TestStaff } from '../../../../testing/staff.ts';
import type { TestApp } from '../../../../testing/testApp.ts';
import { completeUpload, getPresignedUrl } from '../../../files/contract/calls/objects.ts';
import { queryDoctorDetail } from '../../contract/doctorCalls.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import { freshPerson, makeHospital, register } from './qual.ts';
import { doctorImporter } from '../doctors/importer.ts';

/** Somebody who may do everything here; each call makes another person. */
export const keeper = (app: TestApp): Promise<TestStaff> => app.staff({ permissions: Object.values(doctorPermissions).map(({ code }) => code) });

/** A doctor who registered and handed nothing in yet. */
export async function makeDoctor(app: TestApp) {
  const person = freshPerson();
  const hospital = await makeHospital(app);
  const { doctorId, operatorId } = await register(app, person, { hospitalId: hospital.hospitalId, departmentId: hospital.departmentId });
  return { doctorId, operatorId, person, hospital };
}

export const recordOf = async (app: TestApp, doctorId: string) => app.ok(queryDoctorDetail, { doctorId }, { as: await keeper(app) });

let tables = 0;
/** Uploads a table of doctors as CSV; cells by the keys of the importer's columns. */
export async function doctorTable(app: TestApp, as: TestStaff, rows: readonly Readonly<Record<string, string>>[]): Promise<string> {
  const { columns } = doctorImporter(app.kernel);
  const lines = [columns.map(({ label }) => label), ...rows.map((row) => columns.map(({ key }) => row[key] ?? ''))].map((cells) => cells.map((cell) => `"${cell}"`).join(','));
  const bytes = Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`);
  const [target] = await app.ok(getPresignedUrl, { purpose: 'IMPORT', files: [{ fileName: `医生${(tables += 1)}.csv`, size: bytes.length, contentType: 'text/csv' }] }, { as });
  await app.inject({ method: 'PUT', url: target!.url, payload: bytes, headers: { 'content-type': 'text/csv' } });
  return (await app.ok(completeUpload, { fileId: target!.fileId }, { as })).fileId;
}
