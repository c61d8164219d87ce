import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { alipay, signedAnswer, signedParameters } from './alipay.ts';
import { isSigned, publicKeyOf, signText } from './rsa.ts';
import { answerText, openResource, requestText, wechatPay } from './wechat.ts';

// Signatures that the providers publish: WeChat Pay's documentation and Go SDK, Alipay's Node SDK. They were made with keys that nobody
// uses.
const documentationKey = publicKeyOf(
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAptpm+qvIDCh/9wjU26SQCK26ogYkBhDrYxnAaw2JbbBsp1oDbHKk+1r381NeBUG2HEFAuU+Fr72u5ot3yKdzoF/FajAzQNKnm569/D3upKoi8mYBaST15Uig8j8qoUW1U217LL0jEHlSnHV3lcaDTXqDpTRR4Bfz9IqOgJgFZ8/oTfEomSrjrLYef81Eyxr7ZIMQXEKKEK7V4UXKS0+/fDsiG/cXidhzt8UbTL9vqXqxM2+IDImyO+FAc/tkBG55LmzxPto1Nq0WbnZzRM/wTzrd0I/8NlevxtFbphg4evlHjFNI7+GrqR87ViEwuAJJ9Je5QQjct5YJfFRWiZ5CMQIDAQAB',
);
const platformKey = publicKeyOf(
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwXNI6sdlknHBnK8Fu2U6Cwor9qY747jP8KAfeBMeveEt1TqaHkLfaSD07trZLhGpfs8/AHqjhgSMO1O10YQWOrrJ4hjIWPKqxbgrYMkBQc+mwdiWp4W3ByCqxBRagCveCXRWCmuJYovl9H/bsDI0iGbpVtEOghJtfciisYSgxcLufUDTRkvwxjIBK1pCRjk33jJ5YTBWTHMRtMAOcFLNF6hdEYdX8SPsgHHeLZ5Lv2T/686w1xtgCHef/sd4uSfWmyzsalQdHG/e4IyYmrhx+O3VBoNDzE3nx23bFeV/RVNCG7cV6VhmYokJNHa/erIPkEmEFID6A5wQOXuxUkmJWwIDAQAB',
);
const noticeCertificate = new X509Certificate(`-----BEGIN CERTIFICATE-----
MIIDVzCCAj+gAwIBAgIJANfOWdH1ItcBMA0GCSqGSIb3DQEBCwUAMEIxCzAJBgNV
BAYTAlhYMRUwEwYDVQQHDAxEZWZhdWx0IENpdHkxHDAaBgNVBAoME0RlZmF1bHQg
Q29tcGFueSBMdGQwHhcNMjEwNDI3MDg1NTIzWhcNMzEwNDI1MDg1NTIzWjBCMQsw
CQYDVQQGEwJYWDEVMBMGA1UEBwwMRGVmYXVsdCBDaXR5MRwwGgYDVQQKDBNEZWZh
dWx0IENvbXBhbnkgTHRkMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA
2VCTd91fnUn73Xy9DLvt/V62TVxRTEEstVdeRaZ3B3leO0pldE806mXO4RwdHXag
HQ4vGeZN0yqm++rDsGK+U3AH7kejyD2pXshNP9Cq5YwbptiLGtjcquw4HNxJQUOm
DeJf2vg6byms9RUipiq4SzbJKqJFlUpbuIPDpSpWz10PYmyCNeDGUUK65E5h2B83
4uxl1zNLYQCrkdBzb8oUxwYeP5a2DNxmjL5lsJML7DGr5znsevnoqGRwTm9fxCGf
y8wus7hwKz6clt3Whmmda7UAdb1c08hEQFVRbF14AR73xbnd8N0obCWJPCbzMCtk
aSef4FdEEgEXJiw0VAJT8wIDAQABo1AwTjAdBgNVHQ4EFgQUT1c7nd/SUO76HSoZ
umNUJv1R5PwwHwYDVR0jBBgwFoAUT1c7nd/SUO76HSoZumNUJv1R5PwwDAYDVR0T
BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAfTjxKRQMzNB/U6ZoCUS+BSNfa2Oh
0plMN6ZuzwiVVZwg1jywvv5yv04koS7Pd4i9E4gt9ZBUQXlpq+A3oOCEEHNRR6b2
kyazGRM7s0OP5X21WrbpSmKmU6K7hkfx30yYs08LVs/Q8DIhvaj1FCFeJzUCzYn/
fHMq4tsbKO0dKAeydPM/nrUZBmaYQVKMVOORGLFjFKVO7JV6Kq/R86ouhjEPgJOe
2xulNBUcjicqtZlBdEh/PWCYP2SpGVDclKm8jeo175T3EVAkdKzzmfpxtMmnMlmq
cTJOU9TxuGvNASMtjj7pYIerTx+xgZDXEVBWFW9PjJ0TV06tCRsgSHItgg==
-----END CERTIFICATE-----`);
const alipayNoticeKey =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqObrdC7hrgAVM98tK0nv3hSQRGGKT4lBsQjHiGjeYZjOPIPHR5knm2jnnz/YGIXIofVHkA/tAlBAd5DrY7YpvI4tP5EONLtZKC2ghBMx7McI2wRD0xiqzxOQr1FuhZGJ8/AUokBzJrzY+aGX2xcOrxFYRlFilvVLTXg4LWjR1tdPkO6+i7wQZAIVMClPkwVRZEbaERRHlKqTzv2gGv5rDU8gRoe1LeaN+6BlbTqHWkQcNCUNrA8C6l17XAXGKDsm/9TFWwO8EPHHHCaQdjtV5/FdcWIt+L8SR1ss7EXTjYDFtxcKVv9rEoY1lX8T4mX+GbXfZHraG5NCF1+XioL5JwIDAQAB';
const own = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

describe('WeChat Pay', () => {
  it('signs a request over the five lines of its documentation', () => {
    const body =
      '{"appid":"wxd678efh567hg6787","mchid":"1900007291","description":"Image形象店-深圳腾大-QQ公仔","out_trade_no":"1217752501201407033233368018","notify_url":"https://www.weixin.qq.com/wxpay/pay.php","amount":{"total":100,"currency":"CNY"},"payer":{"openid":"oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"}}';
    const text = requestText('POST', '/v3/pay/transactions/jsapi', '1554208460', '593BEC0C930BF1AFEB40B4A08C8FB242', body);
    const signature =
      'jnks4dlrPw3ZX+ozVvSK39oa0t7OMBsg83BHAwd8BRdUFiVaQNTLTvci+wURgP1OQBbKYhFGvt7iqYpDSTQkp7Uq1sltaQKyncCyrA1g88m5bsKERQfPyT0ahSwKTYJ1CAn9QiJuSJRq1QsQs07eehbU/k9BCS51jTyc1Jpsi2H77HF9f/BnjXAOP3/sPObg6V5Ee4EzwLox684hhuMuIwHo7D8KFk3LIHOKDcNI4It1aCXydFWNpNK+SG86VUDe5kwoDpw4Ulqfu9z8OFDGbDs9TCxEv8iqQzbpxOlEVoOe2kalSYM5kApQb3nZcxdUtoE0liJGW3RGUNE0t4v01A==';
    expect(isSigned(documentationKey, text.replace('100', '101'), signature)).toBe(false);
    expect(isSigned(documentationKey, text, signature)).toBe(true);
  });

  it('proves an answer', () => {
    const signature =
      'mfI1CPqvBrgcXfgXMFjdNIhBf27ACE2YyeWsWV9ZI7T7RU0vHvbQpu9Z32ogzc+k8ZC5n3kz7h70eWKjgqNdKQF0eRp8mVKlmfzMLBVHbssB9jEZEDXThOX1XFqX7s7ymia1hoHQxQagPGzkdWxtlZPZ4ZPvr1RiqkgAu6Is8MZgXXrRoBKqjmSdrP1N7uxzJ/cjfSiis9FiLjuADoqmQ1P7p2N876YPAol7Rn0+GswwAwxldbdLrmVSjfytfSBJFqTMHn4itojgxSWWN1byuckQt8hSTEv/Lg97QoeGniYP17T80pJeQyL3b+295FPHSO2AtvCgyIbKMZ0BALilAA==';
    const text = (body: string) => answerText('1722850421', 'd824f2e086d3c1df967785d13fcd22ef', body);
    expect(isSigned(platformKey, text('{"code_url":"weixin://wxpay/bizpayurl?pr=JyC91EIz2"}'), signature)).toBe(false);
    expect(isSigned(platformKey, text('{"code_url":"weixin://wxpay/bizpayurl?pr=JyC91EIz1"}'), signature)).toBe(true);
  });

  const resource = {
    ciphertext:
      'YDS3lKPaC4Y52Gf3uhft5qUBlIa8b428AWTtTauHQfQrRw+X1WpiuHIDy0vo1Vd6VEq67aVyqPdDYMkRVSDaZL3iZttevRMOoPKMifozg6XPWjIZumks/GpT48lI4NizyeaqLBokNebthah3o1H76qSlO9NkDjp9bzmKLEYYH9TEklFUpsvPqOTOcgSLgh21YJXYR7dEBXFgRLiNIKRgO5JdXh1hccRUAlyVWxE54PXpnQ==',
    associated_data: 'payscore',
    nonce: 'Kj7QIyUiYx1q',
  };
  const headers = {
    'wechatpay-nonce': 'EcZ9Cmy4Xyx1i6RlJQzLcCyEqDa26NBz',
    'wechatpay-timestamp': '1624523846',
    'wechatpay-serial': 'D7CE59D1F522D701',
    'wechatpay-signature':
      'tJHIiIS9eB2hAYstmAmbbD3ZE5LiIm/Ug5tuL4fC0YOFRWIHV39UFIZXC0e9Wl6lBu6sKvkqDkzpqzBsVHyXFlbYZTOQrVdG4b6LfTnK4mikv9++ixJMd3vTf2yCqvBkh98zs3Ds5zsYQakzbcwhmw4fMJs4nPLws28H0UW9FjDR//rxELLwXvV1VEA1IBLX70xptjL8hrfUjEE8kkry6yNJTHZRU8CAc7qHli2Ng1V1qb9ARbK8A3ThmFmPQvRGrapI/jS2laKKgYUmfdEdkNO6B2Cke5e8VTxY406ArAmQ90GAihDwIcb16TQMnzCMBoutnwZKNiKRACrFmtxw2Q==',
  };
  const body = `{"id":"3119dfba-e649-5eec-ab1e-3412bc4d2e17","create_time":"2021-06-24T16:37:26+08:00","resource_type":"encrypt-resource","event_type":"PAYSCORE.USER_OPEN_SERVICE","summary":"签约成功","resource":{"original_type":"payscore","algorithm":"AEAD_AES_256_GCM","ciphertext":"${resource.ciphertext}","associated_data":"payscore","nonce":"Kj7QIyUiYx1q"}}`;
  const channel = (now: number) =>
    wechatPay(
      {
        mchId: '1',
        appId: 'a',
        serialNo: 's',
        privateKey: own.privateKey,
        apiV3Key: 'x'.repeat(32),
        publicKeyId: 'D7CE59D1F522D701',
        publicKey: noticeCertificate.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      },
      () => now,
    );

  it('proves a notice and refuses a changed, an old and a foreign one', () => {
    const now = 1_624_523_846_000;
    expect(() => channel(now).readNotice({ headers, body: body.replace('签约成功', '签约失败') })).toThrow('wrong signature');
    expect(() => channel(now + 301_000).readNotice({ headers, body })).toThrow('too old');
    expect(() => channel(now).readNotice({ headers: { ...headers, 'wechatpay-serial': 'OTHER' }, body })).toThrow('unknown key');
    // Genuine, but no payment.
    expect(channel(now).readNotice({ headers, body })).toBeNull();
  });

  it('opens what a notice encloses', () => {
    expect(() => openResource('testMchAPIv3Key1', resource)).toThrow();
    expect(JSON.parse(openResource('testMchAPIv3Key0', resource))).toMatchObject({
      mchid: '1234567890',
      out_contract_code: '21640bdbd08e473e828f3206a2741c6e',
    });
  });

  const answering = (status: number, content: unknown) =>
    wechatPay(
      {
        mchId: 'm',
        appId: 'a',
        serialNo: 's',
        privateKey: own.privateKey,
        apiV3Key: 'x'.repeat(32),
        publicKeyId: 'K',
        publicKey: own.publicKey,
      },
      () => 0,
      async (url, init) => {
        const [, nonce, signature] = /nonce_str="(\w+)",signature="([^"]+)"/.exec(
          (init.headers as Record<string, string>)['authorization']!,
        )!;
        expect(
          isSigned(
            publicKeyOf(own.publicKey),
            requestText(init.method!, new URL(url).pathname + new URL(url).search, '0', nonce!, (init.body as string | undefined) ?? ''),
            signature!,
          ),
        ).toBe(true);
        const text = JSON.stringify(content);
        return new Response(text, {
          status,
          headers: {
            'wechatpay-serial': 'K',
            'wechatpay-timestamp': '0',
            'wechatpay-nonce': 'n',
            'wechatpay-signature': signText(createPrivateKey(own.privateKey), answerText('0', 'n', text)),
          },
        });
      },
    );

  it('never takes an open refund for a refused one', async () => {
    const order = { tradeNo: 't', refundNo: 'r', amountFen: 1, totalFen: 2, reason: '退款' };
    expect(await answering(500, { code: 'SYSTEM_ERROR' }).refund(order)).toMatchObject({ state: 'UNKNOWN' });
    expect(await answering(200, { status: 'PROCESSING', refund_id: '5' }).refund(order)).toMatchObject({ state: 'UNKNOWN' });
    expect(await answering(400, { code: 'NOT_ENOUGH', message: '余额不足' }).refund(order)).toMatchObject({
      state: 'FAILED',
      failReason: '余额不足',
    });
    expect(await answering(200, { status: 'SUCCESS', refund_id: '5' }).refund(order)).toMatchObject({
      state: 'SUCCESS',
      channelRefundNo: '5',
    });
    expect(await answering(404, { code: 'ORDER_NOT_EXIST' }).query('t')).toMatchObject({ state: 'WAITING' });
    expect(
      await answering(200, {
        trade_state: 'SUCCESS',
        transaction_id: '4',
        success_time: '2026-11-21T10:00:00+08:00',
        amount: { total: 8663 },
      }).query('t'),
    ).toEqual({ state: 'PAID', channelTradeNo: '4', amountFen: 8663, paidAt: '2026-11-21T02:00:00.000Z' });
  });
});

describe('Alipay', () => {
  const notice = {
    gmt_create: '2019-08-15 15:56:22',
    charset: 'utf-8',
    seller_email: 'z97-yuquerevenue@service.aliyun.com',
    subject: '语雀空间 500人规模',
    buyer_id: '2088102534368455',
    invoice_amount: '0.10',
    notify_id: '2019081500222155624068450559358070',
    fund_bill_list: '[{"amount":"0.10","fundChannel":"ALIPAYACCOUNT"}]',
    notify_type: 'trade_status_sync',
    trade_status: 'TRADE_SUCCESS',
    receipt_amount: '0.10',
    buyer_pay_amount: '0.10',
    app_id: '2019073166072302',
    seller_id: '2088531891668739',
    gmt_payment: '2019-08-15 15:56:24',
    notify_time: '2019-08-15 15:56:25',
    version: '1.0',
    out_trade_no: '20190815155618536-564-57',
    total_amount: '0.10',
    trade_no: '2019081522001468450512505578',
    auth_app_id: '2019073166072302',
    buyer_logon_id: 'xud***@126.com',
    point_amount: '0.00',
    sign: 'QfTb8tqE1BMhS5qAnXtvsF3/jBkEvu9q9en0pdbBUDDjvKycZhQb7h8GDs4FKfi049PynaNuatxSgLb/nLWZpXyyh0LEWdK2S6Ri7nPwrVgOs08zugLO20vOQz44y3ti2Ncm8/wZts1Fr2gZ7pShnVX3d1B50hbsXnObT1r/U8ONNQjWXd0HIul4TG+Q3fm3svmSvFEy0WnzuhcyHPX5Gm4ELNctL6Qd5YniGJFNcc7kopHYtI/XD9YCKCH6Ct02rzUs9i11C9CsadtZn+WhxF26Dqt9sGEFajkJ8cxUTLi8+VCpLHsgPE8P0y095uQcDdK0YjCh4x7wVSov+lrmOQ==',
  };
  const channel = (appId: string) => alipay({ appId, privateKey: own.privateKey, publicKey: alipayNoticeKey }, () => 0);
  const bodyOf = (values: Record<string, string>) => new URLSearchParams(values).toString();

  it('proves a notice and refuses a changed and a foreign one', () => {
    expect(() => channel(notice.app_id).readNotice({ headers: {}, body: bodyOf({ ...notice, total_amount: '0.11' }) })).toThrow(
      'wrong signature',
    );
    expect(() => channel('2020000000000000').readNotice({ headers: {}, body: bodyOf(notice) })).toThrow('not ours');
    expect(channel(notice.app_id).readNotice({ headers: {}, body: bodyOf({ ...notice, sign_type: 'RSA2' }) })).toEqual({
      tradeNo: '20190815155618536-564-57',
      channelTradeNo: '2019081522001468450512505578',
      amountFen: 10,
      paidAt: '2019-08-15T07:56:24.000Z',
    });
  });

  it('proves an answer over its bytes', async () => {
    expect(signedAnswer('{"sign":"x","a_response":{"msg":"} \\" {","b":{}}}', 'a_response')).toBe('{"msg":"} \\" {","b":{}}');
    const covered =
      '{"code":"10000","trade_status":"TRADE_SUCCESS","trade_no":"4","total_amount":"86.63","send_pay_date":"2026-11-21 10:00:00"}';
    const answering = (sign: string) =>
      alipay(
        { appId: 'a', privateKey: own.privateKey, publicKey: own.publicKey },
        () => 0,
        async () => new Response(`{"alipay_trade_query_response":${covered},"sign":"${sign}"}`),
      );
    expect(await answering(signText(createPrivateKey(own.privateKey), `${covered} `)).query('t')).toMatchObject({ state: 'UNKNOWN' });
    expect(await answering(signText(createPrivateKey(own.privateKey), covered)).query('t')).toEqual({
      state: 'PAID',
      channelTradeNo: '4',
      amountFen: 8663,
      paidAt: '2026-11-21T02:00:00.000Z',
    });
  });

  it('signs a payment page so that Alipay can prove it', async () => {
    const { address } = await channel(notice.app_id).create({
      tradeNo: 'ZX1',
      amountFen: 8663,
      subject: '视频问诊',
      expireAt: '2026-11-21T02:15:00.000Z',
      notifyUrl: 'https://q/pay/notice/alipay',
      returnUrl: 'https://q/pay/x',
    });
    const values = Object.fromEntries(new URL(address).searchParams);
    expect(JSON.parse(values['biz_content']!)).toMatchObject({
      out_trade_no: 'ZX1',
      total_amount: '86.63',
      time_expire: '2026-11-21 10:15:00',
    });
    expect(isSigned(publicKeyOf(own.publicKey), signedParameters(values, ['sign']), values['sign']!)).toBe(true);
  });
});
