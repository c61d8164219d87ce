import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import { MACHINE_PARTIES } from '#kernel/contract/machine.ts';
import { modules } from '../../modules.ts';
import { allCases } from '../allCases.ts';
import { signedHeaders, type MachineWish } from '../signing.ts';
import { startTestApp, type TestApp } from '../testApp.ts';

// Generated from the call table: what a machine may not is tried with every signed call.
const signedCases = allCases.filter(({ call }) => call.access.kind === 'signed');
const NOTHING: MachineWish = { scope: { region: [], insurer: [], channel: [] } };
/** Calls that name no record, and why they answer a machine that sees nothing. */
const NAMES_NOTHING: Readonly<Record<string, string>> = {
  'PatientService/resolvePatient': 'a person whom nobody knows is entered; one who is known is not answered',
  'PatientService/bindAccount': 'the login of the machine’s own client; persons outside its scope are not among the answer',
  'PatientService/requestPatientFiles': 'files of its own',
  'PatientService/completePatientFile': 'a file of its own',
  'DoctorRegisterService/requestDoctorFiles': 'files of its own',
  'DoctorRegisterService/completeDoctorFile': 'a file of its own',
};

/** What these name is tried by the empty scope alone. */
const NO_FOREIGN = [
  'HospitalService/searchHospital',
  'HospitalService/applyHospital',
  'ScanService/bindScan',
  'DoctorRegisterService/registerDoctor',
  'EnrolApplyService/submitEnrolApply',
];

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules });
});
afterAll(() => app.close());

const send = async (call: Call, input: unknown, wish: MachineWish) =>
  app.send(call, input as object, {
    headers: await signedHeaders(app, call, input, wish),
    ...(call.kind === 'command' ? { idempotencyKey: 'machine-of-the-test' } : {}),
  });
const rightsBut = (code: string) =>
  app.kernel.registry.permissions.filter((one) => one.machine && one.code !== code).map((one) => one.code);

it('declares all signed calls, each with a right that nobody but machines may be given', () => {
  expect(signedCases.length).toBeGreaterThanOrEqual(24);
  const rights = new Map(app.kernel.registry.permissions.map((one) => [one.code, one]));
  for (const { call } of signedCases) {
    const right = rights.get(call.access.kind === 'signed' ? call.access.code : '');
    expect(right, call.name).toMatchObject({ machine: true, defaultRoles: [], routes: [] });
  }
});

describe.each(signedCases)('$call.name', ({ call, ...entry }) => {
  const { access } = call;
  if (access.kind !== 'signed') throw new Error(`${call.name} is not signed`);

  it('refuses a machine without the right, and a machine of another party with all rights', async () => {
    const { envelope } = await send(call, {}, { permissions: rightsBut(access.code) });
    expect(envelope).toMatchObject({ code: 'SCM90010' });
    for (const party of MACHINE_PARTIES.filter((one) => !access.parties.includes(one)))
      expect((await send(call, {}, { party })).envelope, party).toMatchObject({ code: 'SCM90010' });
  });

  it('shows and does nothing for a machine whose scope is empty, or that names no house', async () => {
    const reasoned = NAMES_NOTHING[call.name];
    for (const party of access.parties) {
      const wishes = [{ ...NOTHING, party }, ...(party === 'INSURER' || party === 'CHAIN' ? [{ party, partyId: null }] : [])];
      for (const wish of wishes) {
        const { envelope } = await send(call, await entry.valid(app, null), wish);
        if (reasoned || (Array.isArray(envelope.data) && envelope.data.length === 0)) continue;
        // Not found, a place or store outside, a proof that is none: never the row.
        expect(['SCM90040', 'SCM90020', 'SCM17070', 'SCM08070', 'SCM14004'], JSON.stringify(envelope)).toContain(envelope.code);
      }
    }
  });

  it('refuses a foreign row', async () => {
    expect(entry.foreign !== undefined || NO_FOREIGN.includes(call.name) || call.name in NAMES_NOTHING).toBe(true);
    if (entry.foreign) expect((await send(call, await entry.foreign(app, null), {})).envelope).toMatchObject({ code: 'SCM90040' });
  });
});
