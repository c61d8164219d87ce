import { useEffect, useState } from 'react';
import { platformErrors } from '#kernel/contract/errors.ts';
import { send } from '#kernel/web/http/client.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { sendSmsCode } from '../../contract/calls/login.ts';
import { secondsOf } from './checks.ts';

/** 获取验证码 with its countdown; after a reload the server's answer says how long is left. */
export function useSmsCode() {
  const [left, setLeft] = useState(0);
  const [sending, setSending] = useState(false);
  const counting = left > 0;
  useEffect(() => {
    if (!counting) return undefined;
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, [counting]);

  /** @throws RefusalError, TransportError; a refusal for being too early starts the countdown as well. */
  const ask = async (input: InputOf<typeof sendSmsCode>): Promise<void> => {
    setSending(true);
    try {
      setLeft((await send(sendSmsCode, input, { quiet: true })).resendIn);
    } catch (error) {
      if (error instanceof RefusalError && error.code === platformErrors.TOO_FREQUENT.code) setLeft(secondsOf(error) ?? 0);
      throw error;
    } finally {
      setSending(false);
    }
  };
  return { ask, left, sending, label: sending ? '发送中…' : counting ? `${left}秒后重新获取` : '获取验证码' };
}
