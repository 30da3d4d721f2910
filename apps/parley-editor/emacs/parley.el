;;; parley.el --- MCP tools that ask questions  -*- lexical-binding: t; -*-

;; Version: 1
;; Package-Requires: ((emacs "28.1"))
;; Keywords: tools, comm

;;; Commentary:

;; M-x parley-call calls a tool of an MCP server.  What the server asks before
;; it answers is asked in the minibuffer.  A call can be parked and resumed
;; later, in another Emacs too: M-x parley-parked, parley-resume,
;; parley-discard.  README.md in this directory says how to set it up.

;;; Code:

(require 'parley-client)
(require 'parley-questions)
(require 'parley-form)
(require 'parley-page)
(require 'parley-sample)
(require 'parley-call)
(require 'parley-sign-in)

(defun parley--parked ()
  "The parked calls."
  (append (plist-get (parley--ask-helper 'parked (make-hash-table)) :calls) nil))

(defun parley--describe (call)
  "The parked CALL in a line."
  (string-join
   (append
    (list (plist-get call :call) (format-time-string "%F %R" (plist-get call :time)))
    (cond
     ((parley--true (plist-get call :taken)) '("taken: somebody else is at it"))
     ((plist-get call :problem) (list (concat "cannot be resumed: " (plist-get call :problem))))
     (t (list (plist-get call :server) (plist-get call :subject)
              (cond ((parley--true (plist-get call :inDoubt)) "in doubt")
                    ((eql (plist-get call :questions) 1) "1 question open")
                    (t (format "%d questions open" (plist-get call :questions))))))))
   "  "))

(defun parley--read-parked (prompt)
  "Ask with PROMPT for a parked call."
  (let ((calls (parley--parked)))
    (unless calls
      (user-error "Nothing is parked"))
    (parley--choose prompt (mapcar (lambda (call) (cons (parley--describe call) call)) calls))))

;;;###autoload
(defun parley-parked ()
  "List the parked calls."
  (interactive)
  (let ((calls (parley--parked)))
    (if (null calls)
        (message "Nothing is parked")
      (with-current-buffer (get-buffer-create "*parley parked*")
        (let ((inhibit-read-only t))
          (erase-buffer)
          (dolist (call calls)
            (insert (parley--describe call) "\n"))
          (goto-char (point-min)))
        (special-mode)
        (display-buffer (current-buffer))))))

;;;###autoload
(defun parley-resume (call)
  "Resume the parked CALL."
  (interactive (list (parley--read-parked "Resume: ")))
  (let* ((id (plist-get call :call))
         (doubt (parley--true (plist-get call :inDoubt)))
         (again (and (not doubt) (member id parley--refused))))
    (when (cond
           (doubt (yes-or-no-p "The tool was called, and the answer did not arrive.  Send it again, so that it may be done twice? "))
           (again (yes-or-no-p "The server does not know this call any more.  Start over, with your answers filled in? "))
           (t t))
      (setq parley--refused (delete id parley--refused))
      (parley--ask-helper-later 'resume
                                `(:call ,id :resend ,(if doubt t :json-false) :again ,(if again t :json-false))
                                #'parley--call-ended))))

;;;###autoload
(defun parley-discard (call)
  "Discard the parked CALL."
  (interactive (list (parley--read-parked "Discard: ")))
  (when (yes-or-no-p (format "Discard %s? " (parley--describe call)))
    (parley--ask-helper 'discard `(:call ,(plist-get call :call)))
    (message "Discarded %s" (plist-get call :call))))

(provide 'parley)
;;; parley.el ends here
