// Checks the address of a webhook when it is named. The guard checks it again, with DNS, for every attempt.
import { invalidParameter, Problem } from '../kernel/errors.ts';

const maxLength = 2048;

/** Throws 400 invalid_parameter, which names `parameter`. Returns the address. */
export function checkWebhookUrl(
  url: unknown,
  egress: { check(url: string, parameter: string): URL },
  parameter = 'webhook',
): string {
  if (typeof url !== 'string' || url.length === 0 || url.length > maxLength)
    throw invalidParameter(parameter, `${parameter} must be an http or https URL of at most ${maxLength} characters.`);
  try {
    egress.check(url, parameter);
    return url;
  } catch (error) {
    throw error instanceof Problem ? invalidParameter(parameter, error.message) : error;
  }
}
