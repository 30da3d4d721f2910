// What is used of oauth4webapi: it is bundled from here, and loaded only when
// somebody signs in.
export {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  clientCredentialsGrantRequest,
  customFetch,
  generateRandomCodeVerifier,
  generateRandomState,
  genericTokenEndpointRequest,
  getValidatedIdTokenClaims,
  PrivateKeyJwt,
  processAuthorizationCodeResponse,
  processGenericTokenEndpointResponse,
  refreshTokenGrantRequest,
  revocationRequest,
  validateAuthResponse,
} from "oauth4webapi"
