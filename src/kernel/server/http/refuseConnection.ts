import type { Socket } from 'node:net';
import { refuseField } from '../../contract/errors.ts';
import type { Config } from '../config/config.ts';
import { refusalOf } from './answer.ts';
import { protectiveHeaders } from './headers.ts';

const TOO_LARGE = { code: 'HPE_HEADER_OVERFLOW', status: '431 Request Header Fields Too Large' };
const TOO_SLOW = { code: 'ERR_HTTP_REQUEST_TIMEOUT', status: '408 Request Timeout' };

/** Answers bytes that are no request at all; nothing of the server has seen them, so the answer is written by hand. */
export function refuseConnection(config: Pick<Config, 's3' | 'tencentIm'>) {
  const type = 'application/json; charset=utf-8';
  const headers = Object.entries({ 'Content-Type': type, ...protectiveHeaders(config)(type), Connection: 'close' });
  const body = JSON.stringify(refusalOf(refuseField('url', '请求格式不正确'), ''));
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy(error);
    const status = [TOO_LARGE, TOO_SLOW].find(({ code }) => code === error.code)?.status ?? '400 Bad Request';
    const lines = [
      `HTTP/1.1 ${status}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  };
}
