import { useCallback, useEffect, useRef, useState } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
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
  const coming = useRef<Promise<Picture | null>>(Promise.resolve(null));

  const renew = useCallback(async () => {
    const request = ++asked.current;
    clearTimeout(expiry.current);
    setText('');
    coming.current = send(captcha, {}, { quiet: true })
      .then((next) => {
        // An older answer must not replace the picture of a later click.
        if (request !== asked.current) return null;
        setPicture(next);
        setFailure(null);
        expiry.current = setTimeout(() => void renew(), next.expiresIn * 1000);
        return next;
      })
      .catch((error: unknown) => {
        if (request === asked.current) {
          setPicture(null);
          setFailure(failureText(error));
        }
        return null;
      });
    await coming.current;
  }, []);

  useEffect(() => {
    const turns = asked;
    const timer = expiry;
    void renew();
    return () => {
      turns.current++;
      clearTimeout(timer.current);
    };
  }, [renew]);

  /** Id of the picture, also when it is still on its way. */
  const idOf = async () => (await coming.current)?.captchaId;

  return { picture, failure, text, setText, renew, idOf };
}

export type Captcha = ReturnType<typeof useCaptcha>;
