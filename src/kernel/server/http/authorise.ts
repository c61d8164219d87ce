import { platformErrors, refuse } from '../../contract/errors.ts';
import type { Call } from '../../contract/call.ts';
import type { ApiClient, Context, Participant, Staff } from '../context.ts';
import type { Kernel } from '../kernel.ts';

const BEARER = /^bear(?:er)?\s+/i;

/** The token of an `Authorization` header, raw or with its prefix. */
export const tokenOf = (header: string | undefined): string | null => header?.replace(BEARER, '').trim() || null;

export interface Caller {
  staff: Staff | null;
  client: ApiClient | null;
  participant?: Participant;
  newToken?: string;
}

export interface IncomingRequest {
  method: string;
  /** Path without the host prefix's configuration, with the query string: what a machine signed. */
  url: string;
  headers: Record<string, string | undefined>;
  rawBody: Buffer;
  ip: string;
  now: string;
}

/** Finds out who calls. A public call takes a session when there is one and goes on without. */
export async function authenticate(kernel: Kernel, call: Call, request: IncomingRequest): Promise<Caller> {
  if (call.access.kind === 'signed') {
    return {
      staff: null,
      client: await kernel.ports.signedCalls.verify(kernel.db, { ...request, path: request.url, body: request.rawBody }),
    };
  }
  if (call.access.kind === 'public') return { staff: null, client: null };
  const token = tokenOf(request.headers['authorization']);
  if (!token) throw refuse(platformErrors.SESSION_EXPIRED);
  if (call.access.kind === 'participant') {
    const { ip, now } = request;
    return {
      staff: null,
      client: null,
      participant: await kernel.ports.participants.read(kernel.db, { token, ip, userAgent: request.headers['user-agent'] ?? '', now }),
    };
  }
  const { staff, newToken } = await kernel.ports.sessions.read(kernel.db, {
    token,
    opNo: request.headers['opno'] || null,
    userRoleMenu: request.headers['userrolemenu'] || null,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    now: request.now,
    allowRestricted: call.restricted ?? false,
  });
  return { staff, client: null, ...(newToken ? { newToken } : {}) };
}

/** Checks the call's declared permission; `owner` and `participant` calls are judged by their handlers. */
export function authorise(call: Call, ctx: Context, input: unknown): void {
  const { access } = call;
  if (access.kind === 'permission') ctx.requirePermission(access.code);
  if (access.kind === 'signed') {
    ctx.requirePermission(access.code);
    if (!ctx.client || !access.parties.includes(ctx.client.party))
      throw refuse(platformErrors.NO_PERMISSION, { permission: '' }, { message: '没有权限：此接口不对该类型的系统调用方开放' });
  }
  if (access.kind === 'byAction') {
    const value = typeof input === 'object' && input !== null ? Reflect.get(input, access.field) : undefined;
    ctx.requirePermission((typeof value === 'string' && access.codes[value]) || access.otherwise);
  }
}
