import { sql } from 'kysely';
import { Refusal, refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { machineViewer } from '#kernel/server/auth/viewer.ts';
import { command } from '#kernel/server/handler.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { codeScanned } from '#events/channel.ts';
import { bindScan } from '../../contract/calls/gateway.ts';
import type { Target } from '../../contract/calls/codeFields.ts';
import { channelErrors } from '../../contract/errors.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { ownTx } from '../database.ts';
import { activeVipOf, joinVip } from '../vip/budget.ts';
import { readScan, type ScanFacts } from './scanToken.ts';

interface BoundScan {
  scanId: string;
  codeId: string;
  kind: string;
  channelId: string;
  agentId: string | null;
  sceneCodeId: string | null;
  sceneId: string | null;
  diseaseId: string | null;
  doctorId: string | null;
  itemId: string | null;
  target: Target;
  at: Instant;
}

/** The scan, where the caller sees its channel. */
async function scanOf(db: Db, facts: ScanFacts, viewer: Viewer): Promise<BoundScan | null> {
  const { rows } = await sql<BoundScan>`
    select s.id as scan_id, s.code_id, q.kind, s.channel_id, s.agent_id, s.scene_code_id, x.scene_id, n.facts->>'diseaseId' as disease_id,
      s.doctor_id, x.item_id, q.target, s.at
    from channel_qr_scan s join channel_qr_code q on q.id = s.code_id join channel_channel c on c.id = s.channel_id
      left join channel_scene_code x on x.id = s.scene_code_id left join channel_ref_copy n on n.kind = 'SCENE' and n.ref_id = x.scene_id
    where s.id = ${facts.scanId} and s.at = ${facts.issuedAt}::timestamptz and s.code_id = ${facts.codeId}
      and ${seesChannel(viewer)}`.execute(db);
  return rows[0] ?? null;
}

const deskSource = (scan: BoundScan) =>
  scan.sceneCodeId !== null
    ? ({ type: 'SCENE_CODE', id: scan.sceneCodeId } as const)
    : scan.target.type === 'PRODUCT' && scan.target.refId
      ? ({ type: 'PRODUCT', id: scan.target.refId } as const)
      : ({ type: 'CHANNEL', id: scan.channelId } as const);

/** Binds a scan to a patient or doctor; once per scan and person, and the event with it. */
export const bind = (kernel: Kernel) =>
  command(bindScan, async ({ scanToken, patientId, patientOperatorId, doctorId }, ctx) => {
    const facts = readScan(kernel.secrets, scanToken, ctx.now);
    const scan = facts && (await scanOf(ctx.tx, facts, machineViewer(ctx)));
    if (!scan) throw refuse(channelErrors.SCAN_TOKEN);
    const subjectKey = patientId === undefined ? `doctor:${doctorId}` : `patient:${patientId}`;
    const bound = await ownTx(ctx.tx)
      .insertInto('channelScanBinding')
      .values({ scanId: scan.scanId, subjectKey, patientId: patientId ?? null, doctorId: doctorId ?? null, at: ctx.now })
      .onConflict((conflict) => conflict.columns(['scanId', 'subjectKey']).doNothing())
      .returning('scanId')
      .executeTakeFirst();
    ctx.target({ type: 'channel.scan', id: scan.scanId });
    if (bound) {
      if (patientId !== undefined) await joinQuietly(ctx.tx, scan, patientId, ctx.now);
      const { target: _target, ...event } = scan;
      await ctx.publish(codeScanned, scan.scanId, {
        ...event,
        patientId: patientId ?? null,
        patientOperatorId: patientOperatorId ?? null,
        deskSource: deskSource(scan),
      });
    }
    const { sceneCodeId: _code, diseaseId: _disease, at: _at, ...answer } = scan;
    return answer;
  });

/** A full quota does not stop the scan: the patient simply has no benefit. */
async function joinQuietly(tx: Parameters<typeof joinVip>[0], scan: BoundScan, patientId: string, now: Instant): Promise<void> {
  const vipId = await activeVipOf(tx, scan.channelId);
  if (vipId === null) return;
  try {
    await joinVip(tx, vipId, { patientId, scanId: scan.scanId }, now);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== channelErrors.QUOTA_FULL.code) throw error;
  }
}

/** For the domains that attribute registrations and orders. @throws Refusal SCM08070. */
export function verifyScanToken(kernel: Pick<Kernel, 'secrets'>, token: string, now: Instant): ScanFacts {
  const facts = readScan(kernel.secrets, token, now);
  if (!facts) throw refuse(channelErrors.SCAN_TOKEN);
  return facts;
}
