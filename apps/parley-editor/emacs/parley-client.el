;;; parley-client.el --- The helper process of Parley  -*- lexical-binding: t; -*-

;;; Commentary:

;; Runs parley-editor and speaks JSON-RPC to it by jsonrpc.el, which comes with
;; Emacs.  A question is a request that is confirmed at once and answered later
;; by a request of ours: jsonrpc.el replies when the dispatcher returns, and that
;; runs in a process filter, where nobody can be asked anything.

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)
(require 'subr-x)

(defgroup parley nil
  "Calls of MCP tools that ask questions."
  :group 'tools
  :prefix "parley-")

(defcustom parley-program '("parley-editor")
  "The helper process and further arguments of it."
  :type '(repeat string))

(defcustom parley-state-directory (locate-user-emacs-file "parley")
  "Where calls are kept, so that they can be parked and outlive Emacs."
  :type 'directory)

(defcustom parley-key-file nil
  "The file of the key that seals what is kept.
`parley-editor --new-key FILE' makes one.  Without it nothing is kept."
  :type '(choice (const :tag "Keep nothing" nil) file))

(defcustom parley-roots nil
  "Folders that a server may be told of, after you agreed.
nil means that no server can ask."
  :type '(repeat directory))

(defcustom parley-model nil
  "Your model: nil, or a cons of its name and a function.
The function gets a CreateMessageRequest's params as JSON text and returns what
the model says."
  :type '(choice (const nil) (cons string function)))

(defvar parley--connection nil "The connection to the helper, or nil.")

(declare-function parley--add-question "parley-questions")
(declare-function parley--withdraw "parley-questions")
(declare-function parley--forget-questions "parley-questions")
(declare-function parley--status "parley-call")

(defun parley--request-arrived (_connection method params)
  "Confirm the helper's request METHOD with PARAMS, a question."
  (unless (memq method '(ask/elicit ask/url ask/sample ask/roots ask/sign-in ask/browser))
    (jsonrpc-error :code -32601 :message "Method not found"))
  (parley--add-question method params)
  (make-hash-table))

(defun parley--notification-arrived (_connection method params)
  "Take the helper's notification METHOD with PARAMS."
  (pcase method
    ('ask/withdrawn (parley--withdraw (plist-get params :ask)))
    ('call/status (parley--status params))
    ('call/progress (message "%s: %s" (plist-get params :server) (plist-get params :text)))
    ('server/log (parley--log params))))

(defun parley--log (params)
  "Add a server/log's PARAMS to the log buffer."
  (let ((line (concat (plist-get params :server) ": "
                      (when-let ((level (plist-get params :level))) (concat level ": "))
                      (plist-get params :text))))
    (with-current-buffer (get-buffer-create "*parley log*")
      (goto-char (point-max))
      (insert line "\n")
      (when (> (buffer-size) 200000)
        (delete-region (point-min) (- (point-max) 100000))))
    (when (equal (plist-get params :level) "warning")
      (message "%s" line))))

(defun parley--command ()
  "The words of the helper's command line."
  (append parley-program
          (when parley-key-file
            (list "--state-dir" (expand-file-name parley-state-directory)
                  "--key-file" (expand-file-name parley-key-file)))))

(defun parley--ended (_connection)
  "Note that the helper is gone: nothing that it asked can be answered."
  (setq parley--connection nil)
  (parley--forget-questions)
  (message "parley-editor ended; calls that were asked something are among M-x parley-parked"))

(defun parley--connect ()
  "The connection to the helper, which is started if need be."
  (unless (and parley--connection (jsonrpc-running-p parley--connection))
    (unless (executable-find (car parley-program))
      (user-error "There is no %s: build it as apps/parley-editor/README.md says, or set parley-program"
                  (car parley-program)))
    (let ((connection
           (make-instance
            'jsonrpc-process-connection
            :name "parley"
            ;; The log would hold what you answer.
            :events-buffer-scrollback-size 0
            :process (lambda ()
                       (make-process :name "parley" :command (parley--command)
                                     :connection-type 'pipe :coding 'utf-8-emacs-unix
                                     :noquery t :stderr (get-buffer-create "*parley stderr*")))
            :request-dispatcher #'parley--request-arrived
            :notification-dispatcher #'parley--notification-arrived
            :on-shutdown #'parley--ended)))
      (setq parley--connection connection)
      (parley--wait-for connection 'initialize
                        `(:protocol 1
                          :client (:name "parley.el" :version "1")
                          :asks (:elicit t :url t :authorize t
                                 :sample ,(if parley-model t :json-false)
                                 :roots ,(if parley-roots t :json-false))))))
  parley--connection)

(defun parley--wait-for (connection method params)
  "Request METHOD with PARAMS on CONNECTION and wait for the answer.
Return (t . RESULT) or (nil . PROBLEM)."
  ;; Not `jsonrpc-request': it leaves the process filter by a throw, and before
  ;; Emacs 30 what came with the answer then lies there until more comes.
  (let (answer)
    (jsonrpc-async-request connection method params
                           :success-fn (lambda (result) (setq answer (cons t result)))
                           :error-fn (lambda (problem) (setq answer (cons nil problem)))
                           :timeout nil)
    (while (and (not answer) (jsonrpc-running-p connection))
      (accept-process-output nil 0.05))
    (or answer '(nil :message "parley-editor ended"))))

(defun parley--ask-helper (method params)
  "Request METHOD with PARAMS of the helper and return its result."
  (pcase (parley--wait-for (parley--connect) method params)
    (`(t . ,result) result)
    (`(nil . ,problem) (user-error "%s" (plist-get problem :message)))))

(defun parley--ask-helper-later (method params done)
  "Request METHOD with PARAMS of the helper, however long that takes.
DONE gets the result when it comes."
  (jsonrpc-async-request
   (parley--connect) method params
   :success-fn done
   :error-fn (lambda (problem) (message "Parley: %s" (plist-get problem :message)))
   :timeout nil))

(defun parley--true (value)
  "Whether VALUE, of a JSON object, is there and not false."
  (and value (not (eq value :json-false))))

(provide 'parley-client)
;;; parley-client.el ends here
