/** A handler's response. A string body is sent unchanged, any other as JSON. */
export interface ProviderAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal, which any function can throw. */
export class ProviderApiError extends Error {
  override readonly name = 'ApiError';
  readonly answer: ProviderAnswer;
  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(`${status} ${JSON.stringify(body)}`);
    this.answer = { status, body, headers };
  }
}

export const ok = (body: unknown): ProviderAnswer => ({ status: 200, body });
export const created = (body: unknown): ProviderAnswer => ({ status: 201, body });
export const noContent: ProviderAnswer = { status: 204 };
export const okWithoutBody: ProviderAnswer = { status: 200 };

export const detail = (status: number, text: string, headers?: Record<string, string>) =>
  new ProviderApiError(status, { detail: text }, headers);
export const noSuch = (model: string) => detail(404, `No ${model} matches the given query.`);
export const notFound = () => detail(404, 'Not found.');

export const htmlNotFound: ProviderAnswer = {
  status: 404,
  contentType: 'text/html; charset=utf-8',
  body: `
<!doctype html>
<html lang="en">
<head>
  <title>Not Found</title>
</head>
<body>
  <h1>Not Found</h1><p>The requested resource was not found on this server.</p>
</body>
</html>
`,
};
