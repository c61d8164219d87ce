import { useCallback, useEffect, useRef, useState } from 'react';
import { send } from '../../../../kernel/web/http/client.ts';
import { failureText } from '../../../../kernel/web/http/refusal.ts';
import { captcha } from '../../contract/calls/login.ts';

interface Picture {
  captchaId: string;
  image: string;
}

/** A captcha picture with what was typed for it; a new one comes on click, after each failure and when it has expired. */
export function useCaptcha() {
  const [picture, setPicture] = useState<Picture | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [text, setText] = useState('');
  const expiry = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = useRef(0);

  const renew = useCallback(async () => {
    const turn = ++asked.current;
    clearTimeout(expiry.current);
    setText('');
    try {
      const next = await send(captcha, {}, { quiet: true });
      // An older answer must not replace the picture of a later click.
      if (turn !== asked.current) return;
      setPicture(next);
      setFailure(null);
      expiry.current = setTimeout(() => void renew(), next.expiresIn * 1000);
    } catch (error) {
      if (turn !== asked.current) return;
      setPicture(null);
      setFailure(failureText(error));
    }
  }, []);

  useEffect(() => {
    void renew();
    return () => {
      asked.current++;
      clearTimeout(expiry.current);
    };
  }, [renew]);

  return { picture, failure, text, setText, renew };
}

export type Captcha = ReturnType<typeof useCaptcha>;
