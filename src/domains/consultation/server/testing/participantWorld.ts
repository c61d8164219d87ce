import { sql } from 'kysely';
import { expect } from 'vitest';
import type { SendOptions, TestApp } from '#testing/testApp.ts';
import { exchangeTicket } from '../../contract/calls/participants.ts';
import { addParticipantTicket } from '../../contract/calls/tickets.ts';
import { doctorUser, makeInquiry, type Served } from './inquiryWorld.ts';

let address = 0;
/** Links may be tried ten times a minute from one address: each try comes from another. */
export const elsewhere = (): { ip: string } => ({ ip: `10.1.${Math.floor((address += 1) / 250)}.${address % 250}` });

export const patientUser = ({ sufferer }: Pick<Served, 'sufferer'>): string => `P${sufferer.operatorId}`;
/** Last four digits of a mobile on file. */
export async function digitsOf(app: TestApp, imUserId: string): Promise<string> {
  const operatorId = imUserId.slice(1);
  if (imUserId.startsWith('D')) {
    // Doctors of the tests were written without one.
    await sql`
      update doctor_doctor set mobile_cipher = ${app.kernel.secrets.encrypt('13900004321')} where operator_id = ${operatorId}`.execute(
      app.db,
    );
    return '4321';
  }
  const { rows } = await sql<{
    cipher: string;
  }>`select mobile_cipher as cipher from patient_account where operator_id = ${operatorId}`.execute(app.db);
  return app.kernel.secrets.decrypt(rows[0]!.cipher).slice(-4);
}

export interface Ticket {
  id: string;
  token: string;
}
export async function issue(
  app: TestApp,
  served: Pick<Served, 'primary'> & Partial<Pick<Served, 'groupId'>>,
  imUserId: string,
  wish: { groupId?: string | undefined; demo?: boolean } = {},
): Promise<Ticket> {
  const groupId = 'groupId' in wish ? wish.groupId : served.groupId;
  const { id, url } = await app.ok(
    addParticipantTicket,
    { imUserId, ...(groupId === undefined ? {} : { groupId }), reason: '电话约好在线沟通', demo: wish.demo ?? false },
    { as: served.primary.staff },
  );
  const token = new URL(url).searchParams.get('ticket') ?? '';
  expect(url).toMatch(/\/wx\/consult\?ticket=[\w-]{43}$/);
  return { id, token };
}

export interface Guest extends Ticket {
  imUserId: string;
  options: SendOptions;
}
/** Somebody who is in. */
export async function enter(app: TestApp, served: Served, imUserId: string, wish: Parameters<typeof issue>[3] = {}): Promise<Guest> {
  const ticket = await issue(app, served, imUserId, wish);
  const { participantToken } = await app.ok(exchangeTicket, { ticket: ticket.token, check: await digitsOf(app, imUserId) }, elsewhere());
  return { ...ticket, imUserId, options: { headers: { authorization: participantToken } } };
}
export async function guests(
  app: TestApp,
  wish: Parameters<typeof makeInquiry>[1] = {},
): Promise<{ served: Served; patient: Guest; doctor: Guest }> {
  const served = await makeInquiry(app, wish);
  return {
    served,
    patient: await enter(app, served, patientUser(served)),
    doctor: await enter(app, served, await doctorUser(app, served.groupId)),
  };
}
