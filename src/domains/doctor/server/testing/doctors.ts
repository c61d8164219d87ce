import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import { queryDoctorDetail } from '../../contract/calls/doctors.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import { freshPerson, makeHospital, register } from './qual.ts';
import { doctorImporter } from '../doctors/entry/importer.ts';

/** Somebody who may do everything here; each call makes another person. */
export const keeper = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: Object.values(doctorPermissions).map(({ code }) => code) });

/** A doctor who registered and handed nothing in yet. */
export async function makeDoctor(app: TestApp) {
  const person = freshPerson();
  const hospital = await makeHospital(app);
  const { doctorId, operatorId } = await register(app, person, { hospitalId: hospital.hospitalId, departmentId: hospital.departmentId });
  return { doctorId, operatorId, person, hospital };
}

export const recordOf = async (app: TestApp, doctorId: string) => app.ok(queryDoctorDetail, { doctorId }, { as: await keeper(app) });

/** Uploads a table of doctors as CSV; cells by the keys of the importer's columns. */
export const doctorTable = (app: TestApp, as: TestStaff, rows: readonly Readonly<Record<string, string>>[]): Promise<string> =>
  uploadRows(app, as, doctorImporter(app.kernel), rows);
