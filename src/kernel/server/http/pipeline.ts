import { randomUUID } from 'node:crypto';
import { SUCCESS, type Envelope } from '../../contract/envelope.ts';
import { platformErrors, Refusal, refuseField } from '../../contract/errors.ts';
import { noteTargets } from '../audit/fourEyes.ts';
import { withoutOwnDecisions } from '../audit/offered.ts';
import { claimKey, releaseKey, storeAnswer, type IdempotencyKey } from '../command/idempotency.ts';
import { limitRate } from '../command/rateLimit.ts';
import { extend } from '../command/extend.ts';
import { recordOfCommand } from '../command/lanes.ts';
import { inTransaction } from '../command/runTransactions.ts';
import type { WritingMechanisms } from '../command/writing.ts';
import type { CommandContext, Context, Db, Dispatch, Tx } from '../context.ts';
import { DatabaseAway, PoolFull } from '../database/away.ts';
import { isBusy } from '../database/failures.ts';
import { FileAnswer } from '../fileAnswer.ts';
import { type Handler } from '../handler.ts';
import type { Kernel } from '../kernel.ts';
import { assertDeclaredOutput, envelopeOf, refusalOf } from './answer.ts';
import { authenticate, authorise, tokenOf, type IncomingRequest } from './authorise.ts';
import { cookieOf } from './cookie.ts';
import { makeContext, type LogNotes, type RequestFacts } from './context.ts';
import { logRowOf } from './log.ts';
import { countingStatements } from './statements.ts';
import type { Brake } from './brake.ts';
import { checkInput } from './validate.ts';

export interface Pipeline {
  kernel: Kernel;
  mechanisms: WritingMechanisms;
  brake: Brake;
  permissionLabel(code: string): string;
  /** The implementation of a declared call. */
  handlerOf(name: string): Handler;
}

export interface PipelineRequest extends IncomingRequest {
  body: unknown;
  referer: string | undefined;
  setHeader(name: string, value: string): void;
}

export type PipelineAnswer = { envelope: Envelope; file?: undefined } | { file: FileAnswer; envelope?: undefined };

const numberHeader = (text: string | undefined): number | null => {
  if (text === undefined || text === '') return null;
  const value = Number(text.replaceAll('"', ''));
  // 0: the caller saw that there was no record yet
  if (!Number.isSafeInteger(value) || value < 0) throw refuseField('If-Match', '版本号不正确');
  return value;
};

const namesOf = (kernel: Kernel, db: Db | Tx) => async (userId: string) =>
  (await kernel.ports.people.names(db, [userId])).get(userId) ?? null;

/** The life of a request: who calls, may he, how often, what he sent, then the work, its log and its answer. */
export async function handleRequest(pipeline: Pipeline, handler: Handler, request: PipelineRequest): Promise<PipelineAnswer> {
  const { kernel } = pipeline;
  const { call } = handler;
  const notes: LogNotes = { targets: [], differences: [] };
  const facts: Facts = {
    // Its random bits are drawn in stock; 16 characters are enough to find a request by.
    traceId: randomUUID().replaceAll('-', '').slice(-16),
    call,
    now: request.now,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    ifMatch: null,
    idempotencyKey: request.headers['idempotency-key'] || null,
    token: tokenOf(request.headers['authorization']),
    staff: null,
    client: null,
    participant: null,
    permissionLabel: pipeline.permissionLabel,
    nameOf: namesOf(kernel, kernel.db),
    cookie: (name) => cookieOf(request.headers['cookie'], name),
    header: (name, value) => request.setHeader(name, value),
    referer: request.referer,
    startedAt: performance.now(),
  };
  try {
    const caller = await authenticate(kernel, call, request);
    facts.staff = caller.staff;
    facts.client = caller.client;
    facts.participant = caller.participant ?? null;
    // Before anything looks at what was sent. A machine has a limit of its own; who hurries at one public call hinders no other.
    if (!facts.client) pipeline.brake.use(facts.staff?.sessionId ?? facts.participant?.imUserId ?? `${call.name}:${facts.ip}`);
    if (caller.newToken) request.setHeader('X-New-Authorization', caller.newToken);
    facts.ifMatch = numberHeader(request.headers['if-match']);
    return await perform(pipeline, handler, facts, request.body, notes);
  } catch (error) {
    return refuseRequest(pipeline, facts, error, facts.checked ?? request.body, notes);
  }
}

type Facts = RequestFacts & {
  referer: string | undefined;
  startedAt: number;
  /** The input, once it was checked. */
  checked?: unknown;
};

/** May he, how often, what he sent, then the work, its log and its answer. @throws Refusal */
async function perform(pipeline: Pipeline, handler: Handler, facts: Facts, body: unknown, notes: LogNotes): Promise<PipelineAnswer> {
  const { kernel } = pipeline;
  const { call } = handler;
  const ctx = makeContext(facts);
  if (call.access.kind !== 'byAction') authorise(call, ctx, body);
  if (call.ratePerMinute) {
    const who = facts.staff
      ? `user:${facts.staff.userId}`
      : facts.participant
        ? `participant:${facts.participant.imUserId}`
        : `ip:${facts.ip}`;
    await limitRate(kernel.db, `${call.name}:${who}`, { max: call.ratePerMinute, seconds: 60 }, facts.now);
  }
  const input = checkInput(call.input, body);
  facts.checked = input;
  if (call.access.kind === 'byAction') authorise(call, ctx, input);
  if (call.idempotency === 'required' && !facts.idempotencyKey) throw refuseField('Idempotency-Key', '缺少请求编号');
  const answer = await handle(pipeline, handler, facts, ctx, input, body, notes);
  if (handler.mode !== 'command' && call.logged && !notes.isLogged) {
    await kernel.ports.operationLog.write(kernel.db, logRowOf(facts, input, notes, { code: SUCCESS, message: '' }));
  }
  return answer;
}

/** The answer of what was thrown, and the log row that records it. */
async function refuseRequest(pipeline: Pipeline, facts: Facts, error: unknown, input: unknown, notes: LogNotes): Promise<PipelineAnswer> {
  const { kernel } = pipeline;
  const { call } = facts;
  const envelope = refusalOf(error, facts.traceId);
  if (error instanceof Refusal && error.code === platformErrors.TOO_FREQUENT.code && 'n' in error.params)
    facts.header('Retry-After', String(error.params['n']));
  if (error instanceof DatabaseAway) {
    // Nor could the refusal be logged there.
    kernel.log.warn({ error, traceId: facts.traceId, call: call.path }, 'the database is away');
    return { envelope };
  }
  if (!(error instanceof Refusal || error instanceof PoolFull || isBusy(error))) {
    kernel.log.error({ error, traceId: facts.traceId, call: call.path }, 'a call failed unexpectedly');
  }
  const alreadyLogged = notes.isLogged === true || (error instanceof Refusal && error.keepWrites);
  if (call.logged && !alreadyLogged) await logRefusal(kernel, facts, input, notes, envelope);
  return { envelope };
}

/** Makes a call inside of the running request: the caller stays, everything else is the call's own. */
function dispatcher(pipeline: Pipeline, outer: Facts, outerNotes: LogNotes, queriesAlone: boolean): Dispatch {
  return async (call, input, { origin, idempotencyKey, version }) => {
    const handler = pipeline.handlerOf(call.name);
    if (queriesAlone && handler.mode !== 'query') throw new Error(`${outer.call.name} only reads and may not make ${call.name}`);
    const { checked: _checked, ...caller } = outer;
    const facts: Facts = {
      ...caller,
      call,
      origin,
      ifMatch: version ?? null,
      idempotencyKey: idempotencyKey ?? null,
      startedAt: performance.now(),
    };
    const notes: LogNotes = { targets: [], differences: [] };
    if (call.logged) outerNotes.isLogged = true;
    const { envelope, file } = await perform(pipeline, handler, facts, input, notes).catch((error: unknown) =>
      refuseRequest(pipeline, facts, error, facts.checked ?? input, notes),
    );
    return {
      code: envelope?.code ?? SUCCESS,
      message: envelope?.message ?? '',
      data: envelope?.data ?? null,
      total: envelope?.totalRecordCount ?? null,
      fields: envelope?.fields ?? [],
      file: file ?? null,
    };
  };
}

async function logRefusal(
  kernel: Kernel,
  facts: Parameters<typeof logRowOf>[0],
  input: unknown,
  notes: LogNotes,
  envelope: Envelope,
): Promise<void> {
  // Nobody to name and nothing done: the login log keeps the anonymous tries that matter.
  if (!facts.staff && !facts.client) return;
  try {
    await kernel.ports.operationLog.write(kernel.db, logRowOf(facts, input, notes, envelope));
  } catch (error) {
    kernel.log.error({ error, traceId: facts.traceId }, 'a refused call could not be logged');
  }
}

async function handle(
  pipeline: Pipeline,
  handler: Handler,
  facts: Facts,
  ctx: Context,
  input: unknown,
  body: unknown,
  notes: LogNotes,
): Promise<PipelineAnswer> {
  const { kernel, mechanisms } = pipeline;
  const { call } = handler;
  const checked = (result: unknown): PipelineAnswer => {
    if (result instanceof FileAnswer) return { file: result };
    if (kernel.config.mode === 'test') assertDeclaredOutput(call, result);
    return { envelope: envelopeOf(call, result) };
  };

  if (handler.mode === 'query') {
    const run = () => handler.run(input, extend(ctx, { db: kernel.db, dispatch: dispatcher(pipeline, facts, notes, true) }));
    const offered = async (result: unknown) => {
      await withoutOwnDecisions(kernel.db, facts.staff, call, result);
      return checked(result);
    };
    if (kernel.config.mode !== 'test') return offered(await run());
    const { result, statements } = await countingStatements(run);
    facts.header('X-Statements', String(statements));
    return offered(result);
  }

  const transaction = {
    traceId: facts.traceId,
    by: call.name,
    now: facts.now,
    command: { record: recordOfCommand(call, input, facts.idempotencyKey) },
  };
  const command = <T>(run: (ctx: CommandContext) => Promise<T>, ownNotes: LogNotes) =>
    inTransaction(kernel, mechanisms, { ...transaction, notes: ownNotes }, async (writing, { targets }) => {
      const done = await run(extend(ctx, { ...writing, nameOf: namesOf(kernel, writing.tx) }));
      await noteTargets(writing.tx, facts.staff, { call, input, targets, now: facts.now });
      return done;
    });

  if (handler.mode === 'procedure') {
    const result = await handler.run(
      input,
      extend(ctx, {
        db: kernel.db,
        dispatch: dispatcher(pipeline, facts, notes, false),
        transaction: (run) => command(run, notes),
        target: (target) => void notes.targets.push(target),
        changed: (differences) => void notes.differences.push(...differences),
      } satisfies Partial<Parameters<typeof handler.run>[1]>),
    );
    return checked(result);
  }

  let kept: Refusal | null = null;
  const answer = await inTransaction(
    kernel,
    mechanisms,
    { ...transaction, notes },
    async (writing, attemptNotes): Promise<PipelineAnswer> => {
      kept = null;
      const claim = claimOf(facts, body);
      const stored = claim ? await claimKey(writing.tx, kernel.secrets, claim, facts.now) : null;
      if (stored) return { envelope: stored };
      let made: PipelineAnswer;
      try {
        made = checked(await handler.run(input, extend(ctx, { ...writing, nameOf: namesOf(kernel, writing.tx) })));
      } catch (error) {
        if (!(error instanceof Refusal && error.keepWrites)) throw error;
        kept = error;
        made = { envelope: refusalOf(error, facts.traceId) };
      }
      if (!kept) await noteTargets(writing.tx, facts.staff, { call, input, targets: attemptNotes.targets, now: facts.now });
      // A file is not stored: who asks again gets it again, and the log says so twice.
      if (claim && (kept || made.file)) await releaseKey(writing.tx, claim);
      else if (claim && made.envelope) await storeAnswer(writing.tx, kernel.secrets, claim, made.envelope);
      if (call.logged && (facts.staff ?? facts.client)) {
        const outcome = made.envelope ?? { code: SUCCESS, message: '' };
        await kernel.ports.operationLog.write(writing.tx, logRowOf(facts, input, attemptNotes, outcome));
      }
      return made;
    },
  );
  return answer;
}

function claimOf(facts: RequestFacts, body: unknown): IdempotencyKey | null {
  if (!facts.idempotencyKey) return null;
  if (!/^[\w-]{8,100}$/.test(facts.idempotencyKey)) throw refuseField('Idempotency-Key', '请求编号格式不正确');
  // A repeated reveal is a reveal: permission, limit and log row of its own.
  if (facts.call.logged === 'REVEAL') return null;
  const caller = facts.staff
    ? `user:${facts.staff.userId}`
    : facts.client
      ? `client:${facts.client.apiClientId}`
      : facts.participant
        ? `participant:${facts.participant.imUserId}`
        : null;
  return caller ? { caller, call: facts.call.name, key: facts.idempotencyKey, body, secret: facts.call.secretOutput } : null;
}
