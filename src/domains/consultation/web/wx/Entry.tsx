import { useEffect, useRef, useState, type FormEvent } from 'react';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { exchangeTicket, queryTicket } from '../../contract/calls/participants.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { sendMine, type Entered } from './access.ts';
import { useAction } from './useAction.ts';

const DIGITS = 4;
const CLOSED: ReadonlySet<string> = new Set([errors.TICKET_GONE.code, errors.TICKET_LOCKED.code]);

export function Message({ title, text }: { title: string; text?: string }) {
  return (
    <main className="wx-message">
      <img src="/logo.svg" alt="" width={48} height={48} />
      <h1>{title}</h1>
      {text && <p>{text}</p>}
    </main>
  );
}

/** First screen: the last four digits of the mobile on file; demonstration links go straight in. */
export function Entry({ ticket, onEntered }: { ticket: string; onEntered(entered: Entered): void }) {
  const [needed, setNeeded] = useState<boolean | null>(null);
  const [check, setCheck] = useState('');
  const [closed, setClosed] = useState<string | null>(null);
  const { busy, fault, setFault, run } = useAction();
  const enter = (digits?: string) =>
    run(async () => {
      try {
        onEntered(await sendMine(exchangeTicket, { ticket, ...(digits === undefined ? {} : { check: digits }) }));
      } catch (error) {
        setCheck('');
        if (error instanceof RefusalError && CLOSED.has(error.code)) return setClosed(error.message);
        throw error;
      }
    });
  const latest = useRef(enter);
  latest.current = enter;
  useEffect(() => {
    let here = true;
    sendMine(queryTicket, { ticket }).then(
      ({ checkNeeded }) => {
        if (!here) return;
        setNeeded(checkNeeded);
        if (!checkNeeded) void latest.current();
      },
      (error: unknown) =>
        here &&
        (error instanceof RefusalError ? setClosed(error.message) : setFault(error instanceof Error ? error.message : '网络连接错误')),
    );
    return () => void (here = false);
  }, [ticket, setFault]);
  if (closed) return <Message title={closed} />;
  if (needed !== true) return <Message title={fault ?? '正在打开…'} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (check.length === DIGITS) void enter(check);
    else setFault('请输入手机号后四位');
  };
  return (
    <main className="wx-message">
      <img src="/logo.svg" alt="" width={48} height={48} />
      <h1>在线问诊</h1>
      <form onSubmit={submit}>
        <label htmlFor="check">请输入预留手机号后四位</label>
        <input
          id="check"
          className="wx-digits"
          inputMode="numeric"
          autoComplete="off"
          autoFocus
          maxLength={DIGITS}
          value={check}
          aria-invalid={fault !== null}
          onChange={(event) => (setCheck(event.target.value.replaceAll(/\D/g, '')), setFault(null))}
        />
        {fault && (
          <p className="wx-fault" role="alert">
            {fault}
          </p>
        )}
        <button type="submit" className="wx-primary" disabled={busy}>
          {busy ? '正在进入…' : '进入'}
        </button>
      </form>
    </main>
  );
}
